import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../log.ts'
import { readConfigDir } from '../../manifest/config-dir.ts'
import type { AgentRuntime } from '../runtime.ts'
import { createAgentrtClient } from './client.ts'
import { type GatewayModel, listGatewayModels } from './models.ts'
import { hideFromGit, preseedConfigDir } from './preseed.ts'
import { baseSettings, gatewayProvider, qualifyModel, sessionSettings } from './settings.ts'
import { createTranslator } from './translate.ts'

/** A model key among the session's secrets: such a session needs the runtime's own catalogue of models. */
const modelKey = /_API_(KEY|TOKEN)$/

/** The OpenCode server, known to everything else as `agentrt`. */
export function createAgentrt(parts: {
  readonly workspace: string
  readonly home: string
  readonly host: string
  readonly port: number
  readonly llm: { readonly base_url: string } | null
  readonly agent: string | undefined
  readonly model: string | undefined
  readonly secret_names: readonly string[]
  readonly log: Log
}): AgentRuntime {
  const { workspace, home, host, port, llm, log } = parts
  const root: { current: string | null } = { current: null }
  const translator = createTranslator({ root: () => root.current, workspace, now: Date.now })
  const ownConfig = join(home, '.config', 'opencode')
  let launchedWith: string | null = null
  let models: GatewayModel[] = []

  async function learnModels(key: string | undefined): Promise<void> {
    if (!llm) return
    try {
      models = await listGatewayModels(llm.base_url, key)
    } catch (error) {
      // A list of an earlier start, or the one model that is asked for, is enough to work with.
      if (models.length === 0 && parts.model === undefined) throw error
      log.warn('the model gateway does not list its models', { error })
    }
    const asked = parts.model === undefined ? undefined : qualifyModel(parts.model, models)
    const own = asked?.startsWith(`${gatewayProvider}/`) ? asked.slice(gatewayProvider.length + 1) : undefined
    if (own !== undefined && !models.some(({ id }) => id === own)) {
      models = [...models, { id: own, context: 128_000, output: 16_384 }]
    }
  }

  async function modelsFile(): Promise<string | null> {
    const needsCatalogue = llm === null || parts.secret_names.some((name) => modelKey.test(name))
    if (needsCatalogue) return null
    const path = join(home, '.svc', 'models.json')
    await mkdir(join(home, '.svc'), { recursive: true, mode: 0o700 })
    await writeFile(path, '{}\n')
    return path
  }

  return {
    name: 'agentrt',

    launch: async (env) => {
      const [configDir, catalogue] = await Promise.all([
        readConfigDir(workspace),
        modelsFile(),
        learnModels(env['SVC_LLM_API_KEY']),
        preseedConfigDir(ownConfig),
        mkdir(workspace, { recursive: true }),
      ])
      await writeFile(join(ownConfig, 'opencode.json'), JSON.stringify(baseSettings(models)))
      launchedWith = configDir
      const password = randomBytes(24).toString('base64url')
      log.hide(password)
      const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`
      log.hide(authorization)
      const model = parts.model === undefined ? undefined : qualifyModel(parts.model, models)
      const folder = join(workspace, configDir)
      return {
        file: 'agentrt',
        args: ['serve', '--port', `${port}`, '--hostname', host],
        cwd: workspace,
        env: {
          ...env,
          HOME: home,
          PWD: workspace,
          XDG_CONFIG_HOME: join(home, '.config'),
          XDG_DATA_HOME: join(home, '.local', 'share'),
          XDG_STATE_HOME: join(home, '.local', 'state'),
          XDG_CACHE_HOME: join(home, '.cache'),
          AGENTRT_CONFIG_DIR: folder,
          OPENCODE_CONFIG_DIR: folder,
          OPENCODE_CONFIG_CONTENT: JSON.stringify(sessionSettings({ llm, models, model })),
          OPENCODE_SERVER_PASSWORD: password,
          OPENCODE_DISABLE_MODELS_FETCH: '1',
          ...(catalogue === null ? {} : { OPENCODE_MODELS_PATH: catalogue }),
          OPENCODE_DISABLE_AUTOUPDATE: '1',
          OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
          OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
          OPENCODE_DISABLE_SHARE: '1',
        },
        // A request before this line is never answered, though the port is already open.
        isReady: (line) => line.includes('listening on'),
        authorization,
        client: createAgentrtClient({
          baseUrl: `http://${host}:${port}`,
          authorization,
          translator,
          root,
          defaults: {
            agent: parts.agent,
            model: parts.model,
            fallback: models[0] && `${gatewayProvider}/${models[0].id}`,
          },
          qualify: (name) => qualifyModel(name, models),
          gateway: gatewayProvider,
        }),
      }
    },

    settle: async () => {
      const configDir = await readConfigDir(workspace)
      for (const dir of [configDir, '.opencode']) {
        if (dir !== configDir && !existsSync(join(workspace, dir))) continue
        await hideFromGit(workspace, dir)
        await preseedConfigDir(join(workspace, dir))
      }
      return launchedWith !== null && launchedWith !== configDir
    },
  }
}
