import { readSettings } from '@svc/boot'
import { appRulesEnv, platformEnv } from '@svc/platform'
import { sandboxEnv } from '@svc/sandbox/providers'
import { retentionEnv } from '@svc/services'
import { z } from 'zod'

export const Env = z.object({
  ...platformEnv,
  ...appRulesEnv,
  ...sandboxEnv,
  SVC_PROGRAMS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'the folder of apps that run, shared with the app-proxies; without it files alone are released',
    ),
  SVC_APPS_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe('releases of apps at a time'),
  SVC_BACKUP_WINDOW_DAYS: retentionEnv.SVC_BACKUP_WINDOW_DAYS,
})

export type AppWorkerEnv = z.infer<typeof Env>

/** Locks of wakes and looks, beside those of releases. */
const locksBeside = 28

export function readEnv(source: NodeJS.ProcessEnv): AppWorkerEnv {
  const env = readSettings(Env, source)
  // Each job may hold two locks, and one that waits for a connection would hold up those that have theirs.
  return {
    ...env,
    SVC_DB_LOCK_POOL: Math.max(env.SVC_DB_LOCK_POOL, 2 * env.SVC_APPS_CONCURRENCY + locksBeside),
  }
}
