import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RuntimeSettings } from '@svc/manifest/runtime'
import { createAgentrtClient } from './agentrt/client.ts'
import { createTranslator } from './agentrt/translate.ts'
import { gatewayKey, gatewayProvider } from './gateway-names.ts'
import { settingsIn } from './manifest-settings.ts'
import type { RuntimeClient, RuntimeParts } from './runtime.ts'

export interface RuntimeBase {
  /** The manifest's wishes that a process starts with, read once all that it needs is there. */
  begin(env: Readonly<Record<string, string>>): Promise<RuntimeSettings>
  /** Those of now, and whether the process was started with others. */
  compare(): Promise<{ readonly settings: RuntimeSettings; readonly stale: boolean }>
  /** For the process: the session's environment, its home and the project's folder of settings. */
  environment(env: Readonly<Record<string, string>>, settings: RuntimeSettings): Record<string, string>
  folder(settings: RuntimeSettings): string
  client(authorization: string): RuntimeClient
  readonly isReady: (line: string) => boolean
}

/** What every runtime begins with; all of them speak as one, so that they share a client. */
export function createRuntimeBase(parts: RuntimeParts): RuntimeBase {
  const { workspace, home, host, port, gateway } = parts
  const root: { current: string | null } = { current: null }
  const translator = createTranslator({ root: () => root.current, workspace, now: Date.now })
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
    client: (authorization) =>
      createAgentrtClient({
        baseUrl: `http://${host}:${port}`,
        authorization,
        translator,
        root,
        defaults: { agent: parts.agent, model: gateway.model, fallback: gateway.fallback },
        qualify: gateway.qualify,
        gateway: gatewayProvider,
      }),
    // A request before this line is never answered, though the port is already open.
    isReady: (line) => line.includes('listening on'),
  }
}
