import { readSettings } from '@svc/boot'
import { platformEnv } from '@svc/platform'
import { z } from 'zod'

export const Env = z.object({
  ...platformEnv,
})

export type ChannelWorkerEnv = z.infer<typeof Env>

export const readEnv = (source: NodeJS.ProcessEnv): ChannelWorkerEnv => readSettings(Env, source)
