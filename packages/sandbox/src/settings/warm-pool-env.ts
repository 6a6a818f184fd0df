import { defaultRuntime, runtimeNames } from '@svc/facts'
import { z } from 'zod'

/** Settings of the sandboxes that wait for a session. */
export const warmPoolEnv = {
  SVC_WARM_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(0)
    .max(64)
    .default(0)
    .describe('sandboxes that are kept waiting, so that a session starts at once'),
  SVC_WARM_POOL_RUNTIME: z
    .enum([...runtimeNames, 'none'])
    .default(defaultRuntime)
    .describe('the agent runtime that is started in each of them beforehand'),
}
