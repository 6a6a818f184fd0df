import { readSettings } from '@svc/boot'
import { platformEnv } from '@svc/platform'
import { deploymentEnv, doorEnv, sandboxEnv, warmPoolEnv } from '@svc/sandbox/providers'
import { z } from 'zod'

export const Env = z.object({
  ...platformEnv,
  ...sandboxEnv,
  ...warmPoolEnv,
  ...doorEnv,
  SVC_SANDBOXES_DIR: deploymentEnv.SVC_SANDBOXES_DIR,
  SVC_SANDBOX_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(8)
    .describe('sandbox jobs at a time'),
  SVC_AGENT_BUNDLE: z.string().min(1).optional().describe('the daemon, when it is not beside this build'),
  SVC_BOOT_BUNDLE: z
    .string()
    .min(1)
    .optional()
    .describe('what starts a container, when it is not beside this build'),
  SVC_CLI_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe('the built svc client, when it is not beside this build'),
})

export function readEnv(source: NodeJS.ProcessEnv): z.infer<typeof Env> {
  const env = readSettings(Env, source)
  // Each job may hold a lock, and one that waits for a connection would hold up those that have theirs.
  return { ...env, SVC_DB_LOCK_POOL: Math.max(env.SVC_DB_LOCK_POOL, env.SVC_SANDBOX_CONCURRENCY) }
}
