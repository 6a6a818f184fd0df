import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gatewayKey, gatewayProvider } from '../gateway-names.ts'
import { startHttpServer } from '../http-server.ts'
import { sessionClients } from '../opencode-wire/session-clients.ts'
import type { AgentRuntime, RuntimeParts } from '../runtime.ts'
import { createRuntimeBase } from '../runtime-base.ts'
import { type PiSettings, settingsVariable } from './server/settings.ts'

/** pi behind a small server of ours, which speaks as the other runtime does: what reads the one reads the other. */
export function createPi(parts: RuntimeParts): AgentRuntime {
  const { workspace, home, host, port, gateway, skills, log } = parts
  const base = createRuntimeBase(parts)
  const client = sessionClients(parts)
  const agent_dir = join(home, '.svc', 'pi')
  /** Tells the process that the repository is whole. */
  const arrival = join(agent_dir, 'arrived')
  let isWhole = false

  return {
    name: 'pi',
    begins_early: true,
    start: async ({ env, ...start }) => {
      const [wanted] = await Promise.all([
        base.begin(env),
        mkdir(agent_dir, { recursive: true, mode: 0o700 }),
      ])
      // One of an earlier sandbox's life says nothing of this one's repository.
      if (!isWhole) await rm(arrival, { force: true })
      const authorization = `Bearer ${parts.secret()}`
      log.hide(authorization)
      const settings: PiSettings = {
        host,
        port,
        authorization,
        workspace,
        config_dir: base.folder(wanted),
        agent_dir,
        arrival,
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
      const command = {
        file: 'pi',
        args: [],
        cwd: workspace,
        env: {
          ...base.environment(env, wanted),
          PI_CODING_AGENT_DIR: agent_dir,
          [settingsVariable]: JSON.stringify(settings),
        },
      }
      const server = await startHttpServer(command, start)
      return { ...server, client: client(authorization), http: { host, port, authorization } }
    },
    settle: async () => (await base.compare()).stale,
    arrived: async () => {
      isWhole = true
      await mkdir(agent_dir, { recursive: true, mode: 0o700 })
      await writeFile(arrival, '')
    },
  }
}
