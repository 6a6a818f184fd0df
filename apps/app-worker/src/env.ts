import { readSettings } from '@svc/boot'
import { platformEnv } from '@svc/platform'
import { z } from 'zod'

export const Env = z.object({
  ...platformEnv,
})

export type AppWorkerEnv = z.infer<typeof Env>

export const readEnv = (source: NodeJS.ProcessEnv): AppWorkerEnv => readSettings(Env, source)
