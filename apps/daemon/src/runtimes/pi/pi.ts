import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gatewayKey, gatewayProvider } from '../gateway.ts'
import type { AgentRuntime, RuntimeParts, WaitingParts } from '../runtime.ts'
import type { WaitingLaunch } from '../waiting.ts'
import { waitsWord } from '../waiting-words.ts'
import { createRuntimeBase } from '../runtime-base.ts'
import { waitsVariable } from './server/late-environment.ts'
import { type PiSettings, settingsVariable } from './server/settings.ts'

/** pi's server, loaded, before there is anything to serve. */
export async function waitingPi({ workspace, home, env }: WaitingParts): Promise<WaitingLaunch> {
  await mkdir(workspace, { recursive: true })
  return {
    file: 'pi',
    args: [],
    cwd: workspace,
    env: { ...env, HOME: home, [waitsVariable]: '1' },
    isReady: (line) => line.includes(waitsWord),
  }
}

/** pi behind a small server of ours, which speaks as the other runtime does: what reads the one reads the other. */
export function createPi(parts: RuntimeParts): AgentRuntime {
  const { workspace, home, host, port, gateway, log } = parts
  const base = createRuntimeBase(parts)
  const agent_dir = join(home, '.svc', 'pi')

  return {
    name: 'pi',
    launch: async (env) => {
      const [wanted] = await Promise.all([
        base.begin(env),
        mkdir(agent_dir, { recursive: true, mode: 0o700 }),
      ])
      const { skills } = wanted
      const authorization = `Bearer ${parts.secret()}`
      log.hide(authorization)
      const settings: PiSettings = {
        host,
        port,
        authorization,
        workspace,
        config_dir: base.folder(wanted),
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
          ...base.environment(env, wanted),
          PI_CODING_AGENT_DIR: agent_dir,
          [settingsVariable]: JSON.stringify(settings),
        },
        isReady: base.isReady,
        authorization,
        client: base.client(authorization),
      }
    },
    settle: async () => (await base.compare()).stale,
  }
}
