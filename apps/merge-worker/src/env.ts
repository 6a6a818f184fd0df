import { readSettings } from '@svc/boot'
import { platformEnv } from '@svc/platform'
import { z } from 'zod'

export const Env = z.object({
  ...platformEnv,
  SVC_MERGE_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4).describe('merges at a time'),
})

export function readEnv(source: NodeJS.ProcessEnv): z.infer<typeof Env> {
  const env = readSettings(Env, source)
  // Each job may hold a lock, and one that waits for a connection would hold up those that have theirs.
  return { ...env, SVC_DB_LOCK_POOL: Math.max(env.SVC_DB_LOCK_POOL, env.SVC_MERGE_CONCURRENCY) }
}
