import { durationMs, durationPattern } from '@svc/facts'
import { z } from 'zod'
import { manifestLimits } from '../limits.ts'
import { closedObject } from './closed.ts'
import { withConditions } from './conditions.ts'
import { characters, filled } from './words.ts'

export const policyActions = ['always_run', 'require_approval', 'block'] as const

const hour = 60 * 60 * 1000

const expires = z
  .string()
  .regex(durationPattern, 'must be a whole number and a unit, such as `4h` or `2d`')
  .refine((text) => {
    const ms = durationMs(text)
    return ms === null || (ms >= hour && ms <= 7 * 24 * hour)
  }, 'must be from `1h` to `7d`')

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be text, a number, true, false or null',
})

const tests = ['equals', 'in', 'matches', 'exists']

const clause = withConditions(
  closedObject({
    path: characters(1, manifestLimits.clause_characters),
    equals: scalar.optional(),
    in: z.array(scalar).min(1).max(manifestLimits.clause_values).optional(),
    matches: characters(1, manifestLimits.clause_characters).optional(),
    exists: z.boolean().optional(),
  }),
  [
    { needs: tests, because: 'required: a clause has `equals`, `in`, `matches` or `exists`' },
    { atMostOne: tests, because: 'a clause has one of `equals`, `in`, `matches` and `exists`' },
  ],
)

export const policy = z.looseObject({
  match: filled,
  action: z.enum(policyActions),
  when: z.array(clause).min(1).max(manifestLimits.policy_clauses).optional(),
  second_person: z.boolean().optional(),
  expires: expires.optional(),
})
