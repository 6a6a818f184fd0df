import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RuntimeSettings } from '@svc/manifest/runtime'
import { gatewayKey } from './gateway-names.ts'
import { settingsIn } from './manifest-settings.ts'
import type { RuntimeParts } from './runtime.ts'

export interface RuntimeBase {
  /** The manifest's wishes that a process starts with, read once all that it needs is there. */
  begin(env: Readonly<Record<string, string>>): Promise<RuntimeSettings>
  /** The manifest's wishes of now; `stale` when the process was started with others. */
  compare(): Promise<{ readonly settings: RuntimeSettings; readonly stale: boolean }>
  /** For the process: the session's environment, its home and the project's folder of settings. */
  environment(env: Readonly<Record<string, string>>, settings: RuntimeSettings): Record<string, string>
  folder(settings: RuntimeSettings): string
}

/** The beginning of every runtime that reads a folder of settings. */
export function createRuntimeBase(parts: RuntimeParts): RuntimeBase {
  const { workspace, home, gateway } = parts
  let launchedWith: string | null = null

  const wanted = () => settingsIn(workspace)
  const folder = ({ config_dir }: RuntimeSettings) => join(workspace, config_dir)

  return {
    begin: async (env) => {
      const [settings] = await Promise.all([
        wanted(),
        gateway.learn(env[gatewayKey]),
        mkdir(workspace, { recursive: true }),
      ])
      launchedWith = settings.config_dir
      return settings
    },
    compare: async () => {
      const settings = await wanted()
      return { settings, stale: launchedWith !== settings.config_dir }
    },
    environment: (env, settings) => ({
      ...env,
      HOME: home,
      PWD: workspace,
      AGENTRT_CONFIG_DIR: folder(settings),
    }),
    folder,
  }
}
