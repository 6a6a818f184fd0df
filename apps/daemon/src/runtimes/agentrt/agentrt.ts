import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeInstructions } from '../instructions.ts'
import type { AgentRuntime, RuntimeParts } from '../runtime.ts'
import { createRuntimeBase } from '../runtime-base.ts'
import { hideFromGit, preseedConfigDir } from './preseed.ts'
import { baseSettings, sessionSettings } from './settings.ts'

/** A model key among the session's secrets: such a session needs the runtime's own catalogue of models. */
const modelKey = /_API_(KEY|TOKEN)$/

/** The OpenCode server, known to everything else as `agentrt`. */
export function createAgentrt(parts: RuntimeParts): AgentRuntime {
  const { workspace, home, host, port, gateway, log } = parts
  const base = createRuntimeBase(parts)
  const ownConfig = join(home, '.config', 'opencode')

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
      const [settings, catalogue, instructions] = await Promise.all([
        base.begin(env),
        modelsFile(),
        writeInstructions(home, parts.instructions),
        preseedConfigDir(ownConfig),
      ])
      await writeFile(join(ownConfig, 'opencode.json'), JSON.stringify(baseSettings(gateway.models)))
      const password = randomBytes(24).toString('base64url')
      log.hide(password)
      const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`
      log.hide(authorization)
      const { models, model, base_url } = gateway
      const llm = base_url === null ? null : { base_url }
      const { skills } = settings
      return {
        file: 'agentrt',
        args: ['serve', '--port', `${port}`, '--hostname', host],
        cwd: workspace,
        env: {
          ...base.environment(env, settings),
          XDG_CONFIG_HOME: join(home, '.config'),
          XDG_DATA_HOME: join(home, '.local', 'share'),
          XDG_STATE_HOME: join(home, '.local', 'state'),
          XDG_CACHE_HOME: join(home, '.cache'),
          OPENCODE_CONFIG_DIR: base.folder(settings),
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
        isReady: base.isReady,
        authorization,
        client: base.client(authorization),
      }
    },

    settle: async () => {
      const { settings, stale } = await base.compare()
      const { config_dir } = settings
      for (const dir of [config_dir, '.opencode']) {
        if (dir !== config_dir && !existsSync(join(workspace, dir))) continue
        await hideFromGit(workspace, dir)
        await preseedConfigDir(join(workspace, dir))
      }
      return stale
    },
  }
}
