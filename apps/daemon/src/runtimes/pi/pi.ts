import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readRuntimeSettings } from '../../manifest/runtime-settings.ts'
import { createAgentrtClient } from '../agentrt/client.ts'
import { createTranslator } from '../agentrt/translate.ts'
import { gatewayKey, gatewayProvider } from '../gateway.ts'
import type { AgentRuntime, RuntimeParts } from '../runtime.ts'
import { type PiSettings, settingsVariable } from './server/settings.ts'

/** pi behind a small server of ours, which speaks as the other runtime does: what reads the one reads the other. */
export function createPi(parts: RuntimeParts): AgentRuntime {
  const { workspace, home, host, port, gateway, log } = parts
  const root: { current: string | null } = { current: null }
  const translator = createTranslator({ root: () => root.current, workspace, now: Date.now })
  const agent_dir = join(home, '.svc', 'pi')
  let launchedWith = ''

  const wanted = () => readRuntimeSettings(workspace, parts.agent)

  return {
    name: 'pi',
    launch: async (env) => {
      const [{ config_dir, skills }] = await Promise.all([
        wanted(),
        gateway.learn(env[gatewayKey]),
        mkdir(agent_dir, { recursive: true, mode: 0o700 }),
        mkdir(workspace, { recursive: true }),
      ])
      launchedWith = JSON.stringify({ config_dir, skills })
      const authorization = `Bearer ${randomBytes(24).toString('base64url')}`
      log.hide(authorization)
      const folder = join(workspace, config_dir)
      const settings: PiSettings = {
        host,
        port,
        authorization,
        workspace,
        config_dir: folder,
        agent_dir,
        instructions: parts.instructions,
        gateway:
          gateway.base_url === null
            ? null
            : {
                provider: gatewayProvider,
                base_url: gateway.base_url,
                key_variable: gatewayKey,
                models: [...gateway.models],
              },
        skills: skills === null ? null : [...skills],
      }
      return {
        file: 'pi',
        args: [],
        cwd: workspace,
        env: {
          ...env,
          HOME: home,
          PWD: workspace,
          AGENTRT_CONFIG_DIR: folder,
          PI_CODING_AGENT_DIR: agent_dir,
          [settingsVariable]: JSON.stringify(settings),
        },
        isReady: (line) => line.includes('listening on'),
        authorization,
        client: createAgentrtClient({
          baseUrl: `http://${host}:${port}`,
          authorization,
          translator,
          root,
          defaults: { agent: parts.agent, model: gateway.model, fallback: gateway.fallback },
          qualify: gateway.qualify,
          gateway: gatewayProvider,
        }),
      }
    },
    settle: async () => {
      const { config_dir, skills } = await wanted()
      return launchedWith !== JSON.stringify({ config_dir, skills })
    },
  }
}
