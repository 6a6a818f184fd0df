import { harnessAuths, harnessDialects, harnessLimits, harnessNameLength } from '@svc/harness'
import { z } from 'zod'
import { closedObject } from './closed.ts'
import { filled, ownEnvName, slugKey } from './words.ts'

const noNul = (text: string) => !text.includes('\0')

const word = z.string().min(1).max(harnessLimits.command_characters).refine(noNul, 'must not contain NUL')

const atMost = (count: number) => ({
  check: (map: Readonly<Record<string, unknown>>) => Object.keys(map).length <= count,
  message: `must have at most ${count} entries`,
})
const variables = atMost(harnessLimits.variables)
const options = atMost(harnessLimits.options)

/** One harness of a project: the settings of one that the platform knows, or a program of its own. */
export const harnessShape = closedObject({
  command: z.array(word).min(1).max(harnessLimits.command_words).optional(),
  dialect: z.enum(harnessDialects).optional(),
  env: z
    .record(
      ownEnvName,
      z.string().max(harnessLimits.variable_characters).refine(noNul, 'must not contain NUL'),
    )
    .refine(variables.check, variables.message)
    .meta({ maxProperties: harnessLimits.variables })
    .optional(),
  model_env: z.array(ownEnvName).max(harnessLimits.model_variables).optional(),
  mode: filled.optional(),
  options: z
    .record(filled, z.union([z.string(), z.boolean()], { error: 'must be text, or true or false' }))
    .refine(options.check, options.message)
    .meta({ maxProperties: harnessLimits.options })
    .optional(),
  auth: z.enum(harnessAuths).optional(),
  version: filled.optional(),
})

const key = slugKey.max(harnessNameLength, `must have at most ${harnessNameLength} characters`)
const entries = atMost(harnessLimits.entries)

export const harnessesShape = z
  .record(key, harnessShape)
  .refine(entries.check, entries.message)
  .meta({ maxProperties: harnessLimits.entries })

export type HarnessInput = z.output<typeof harnessShape>
