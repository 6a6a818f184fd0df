import { z } from 'zod'

/** The settings of where sandboxes are kept, and whose they are. */
export const deploymentEnv = {
  SVC_SANDBOXES_DIR: z
    .string()
    .min(1)
    .describe('the folder of sandboxes, shared by the workers of one machine'),
  SVC_DEPLOYMENT: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('default')
    .describe('keeps the platforms apart that share a machine, an engine or a cluster'),
}
