import { type HarnessAuth, harnessAuths, type HarnessPolicy } from '@svc/harness'
import { z } from 'zod'

const names = z
  .string()
  .transform((list) => list.split(',').map((name) => name.trim()))
  .pipe(z.array(z.string().min(1)))

/** The variables of the programs that are sessions' agents. */
export const harnessEnv = {
  SVC_HARNESSES: z
    .string()
    .default('all')
    .transform((list): 'all' | readonly string[] => (list === 'all' ? list : names.parse(list)))
    .describe('the harnesses that sessions may have, by name with commas; or all'),
  SVC_HARNESS_AUTH: names
    .pipe(z.array(z.enum(harnessAuths)))
    .default(['gateway'])
    .describe('who may pay the model calls of a harness: gateway, secrets, personal; with commas'),
  SVC_HARNESS_INSTALL: z
    .enum(['demand', 'manual'])
    .default('demand')
    .describe('whether the first session installs a harness, or only an operator'),
  SVC_HARNESS_SILENCE_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(86_400)
    .default(600)
    .describe('how long an agent may give no sign of life in a turn before it is ended; 0 for ever'),
} as const

/** The operator's rules in these variables. */
export function harnessPolicy(env: {
  readonly SVC_HARNESSES: 'all' | readonly string[]
  readonly SVC_HARNESS_AUTH: readonly HarnessAuth[]
  readonly SVC_HARNESS_INSTALL: 'demand' | 'manual'
  readonly SVC_HARNESS_SILENCE_SECONDS: number
}): HarnessPolicy {
  return {
    allowed: env.SVC_HARNESSES,
    auths: env.SVC_HARNESS_AUTH,
    install: env.SVC_HARNESS_INSTALL,
    silence_seconds: env.SVC_HARNESS_SILENCE_SECONDS,
  }
}
