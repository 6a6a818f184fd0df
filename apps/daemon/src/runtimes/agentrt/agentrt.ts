import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRuntimeSettings } from '../../manifest/runtime-settings.ts'
import { gatewayKey, gatewayProvider } from '../gateway.ts'
import { writeInstructions } from '../instructions.ts'
import type { AgentRuntime, RuntimeParts } from '../runtime.ts'
import { createAgentrtClient } from './client.ts'
import { hideFromGit, preseedConfigDir } from './preseed.ts'
import { baseSettings, sessionSettings } from './settings.ts'
import { createTranslator } from './translate.ts'

/** A model key among the session's secrets: such a session needs the runtime's own catalogue of models. */
const modelKey = /_API_(KEY|TOKEN)$/

/** The OpenCode server, known to everything else as `agentrt`. */
export function createAgentrt(parts: RuntimeParts): AgentRuntime {
  const { workspace, home, host, port, gateway, log } = parts
  const root: { current: string | null } = { current: null }
  const translator = createTranslator({ root: () => root.current, workspace, now: Date.now })
  const ownConfig = join(home, '.config', 'opencode')
  let launchedWith = ''

  const wanted = () => readRuntimeSettings(workspace, parts.agent)

  async function modelsFile(): Promise<string | null> {
    const needsCatalogue = gateway.base_url === null || parts.secret_names.some((name) => modelKey.test(name))
    if (needsCatalogue) return null
    const path = join(home, '.svc', 'models.json')
    await mkdir(join(home, '.svc'), { recursive: true, mode: 0o700 })
    await writeFile(path, '{}\n')
    return path
  }

  return {
    name: 'agentrt',

    launch: async (env) => {
      const [{ config_dir, skills }, catalogue, instructions] = await Promise.all([
        wanted(),
        modelsFile(),
        writeInstructions(home, parts.instructions),
        gateway.learn(env[gatewayKey]),
        preseedConfigDir(ownConfig),
        mkdir(workspace, { recursive: true }),
      ])
      await writeFile(join(ownConfig, 'opencode.json'), JSON.stringify(baseSettings(gateway.models)))
      launchedWith = JSON.stringify({ config_dir, skills })
      const password = randomBytes(24).toString('base64url')
      log.hide(password)
      const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`
      log.hide(authorization)
      const { models, model, base_url } = gateway
      const llm = base_url === null ? null : { base_url }
      const folder = join(workspace, config_dir)
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
          OPENCODE_CONFIG_CONTENT: JSON.stringify(
            sessionSettings({ llm, models, model, instructions, skills }),
          ),
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
          defaults: { agent: parts.agent, model, fallback: gateway.fallback },
          qualify: gateway.qualify,
          gateway: gatewayProvider,
        }),
      }
    },

    settle: async () => {
      const { config_dir, skills } = await wanted()
      for (const dir of [config_dir, '.opencode']) {
        if (dir !== config_dir && !existsSync(join(workspace, dir))) continue
        await hideFromGit(workspace, dir)
        await preseedConfigDir(join(workspace, dir))
      }
      return launchedWith !== JSON.stringify({ config_dir, skills })
    },
  }
}
