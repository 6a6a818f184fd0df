import { backupEnv } from '@svc/backup'
import { readSettings } from '@svc/boot'
import { platformEnv } from '@svc/platform'
import { retentionEnv, triggerEnv } from '@svc/services'
import { spendEnv } from '@svc/spend'
import { z } from 'zod'

export const Env = z.object({ ...platformEnv, ...triggerEnv, ...retentionEnv, ...backupEnv, ...spendEnv })

export function readEnv(source: NodeJS.ProcessEnv): z.infer<typeof Env> {
  return readSettings(Env, source)
}
