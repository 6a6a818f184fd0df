import { apiSettings } from '@svc/api'
import { appProxySettings } from '@svc/app-proxy'
import { appWorkerSettings } from '@svc/app-worker'
import { readSettings, SettingsError } from '@svc/boot'
import { channelWorkerSettings } from '@svc/channel-worker'
import { executorSettings } from '@svc/executor'
import { gatewaySettings } from '@svc/gateway'
import { mergeWorkerSettings } from '@svc/merge-worker'
import { sandboxWorkerSettings } from '@svc/sandbox-worker'
import { schedulerSettings } from '@svc/scheduler'
import { z } from 'zod'
import { Env } from './env.ts'

/** The settings of this process, and of the services in containers, which read the same file. */
const Known = z
  .object({
    ...appProxySettings.shape,
    ...gatewaySettings.shape,
    ...appWorkerSettings.shape,
    ...channelWorkerSettings.shape,
    ...executorSettings.shape,
    ...schedulerSettings.shape,
    ...apiSettings.shape,
    ...mergeWorkerSettings.shape,
    ...sandboxWorkerSettings.shape,
    ...Env.shape,
  })
  .partial()

export interface SettingsVerdict {
  readonly known: readonly string[]
  /** Each with the name of the setting. Rules between several settings are left to the start. */
  readonly problems: readonly string[]
}

/** The verdict of the start on these settings, before they are kept. */
export function judgeSettings(settings: Readonly<Record<string, string>>): SettingsVerdict {
  const known = Object.keys(Known.shape)
  try {
    readSettings(Known, settings)
    return { known, problems: [] }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return { known, problems: error.problems }
  }
}
