import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startHttpServer } from '../http-server.ts'
import { writeInstructions } from '../instructions.ts'
import { sessionClients } from '../opencode-wire/session-clients.ts'
import type { AgentRuntime, RuntimeParts } from '../runtime.ts'
import { createRuntimeBase } from '../runtime-base.ts'
import {
  baseConfig,
  emptyCatalogue,
  fixedEnvironment,
  needsCatalogue,
  ownConfig,
  serveArguments,
} from './fixed-environment.ts'
import { hasConnectors } from '../connectors.ts'
import { listedAgents } from './listed-agents.ts'
import { hidePreseed, preseedConfigDir } from './preseed.ts'
import { baseSettings, sessionSettings } from './settings.ts'
import { fencesFor, type SkillFences } from './skill-fence.ts'

const agentsMs = 30_000

/** The OpenCode server, known to everything else as `agentrt`. */
export function createAgentrt(parts: RuntimeParts): AgentRuntime {
  const { workspace, home, host, port, gateway, skills, log } = parts
  const base = createRuntimeBase(parts)
  const client = sessionClients(parts)
  let fences: SkillFences = {}
  let authorization = ''

  async function modelsFile(): Promise<string | null> {
    return needsCatalogue(gateway.base_url !== null, parts.secretNames()) ? null : emptyCatalogue(home)
  }

  async function listAgents() {
    const answer = await fetch(`http://${host}:${port}/agent`, {
      headers: { authorization, connection: 'close' },
      signal: AbortSignal.timeout(agentsMs),
    })
    if (!answer.ok) throw new Error(`The agent runtime did not list its agents: ${answer.status}`)
    return listedAgents(await answer.json())
  }

  return {
    name: 'agentrt',
    // The runtime looks at every file at the beginning of a turn.
    begins_early: false,
    arrived: async () => undefined,

    start: async ({ env, ...start }) => {
      const [settings, catalogue, instructions] = await Promise.all([
        base.begin(env),
        modelsFile(),
        writeInstructions(home, parts.instructions),
        preseedConfigDir(ownConfig(home)),
      ])
      await writeFile(baseConfig(home), JSON.stringify(baseSettings(gateway.models)))
      const password = parts.secret()
      log.hide(password)
      authorization = `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`
      log.hide(authorization)
      const { models, model, base_url } = gateway
      const llm = base_url === null ? null : { base_url }
      const command = {
        file: 'agentrt',
        args: serveArguments(parts),
        cwd: workspace,
        env: {
          ...base.environment(env, settings),
          ...fixedEnvironment(home),
          OPENCODE_CONFIG_DIR: base.folder(settings),
          OPENCODE_CONFIG_CONTENT: JSON.stringify(
            sessionSettings({
              ...{ llm, models, model, instructions, skills, fences },
              connectors: hasConnectors(env),
            }),
          ),
          OPENCODE_SERVER_PASSWORD: password,
          ...(catalogue === null ? {} : { OPENCODE_MODELS_PATH: catalogue }),
        },
      }
      const server = await startHttpServer(command, start)
      return { ...server, client: client(authorization), http: { host, port, authorization } }
    },

    settle: async () => {
      const { settings, stale } = await base.compare()
      const { config_dir } = settings
      for (const dir of [config_dir, '.opencode']) {
        if (dir !== config_dir && !existsSync(join(workspace, dir))) continue
        await hidePreseed(workspace, dir)
        await preseedConfigDir(join(workspace, dir))
      }
      if (stale || skills === null) return stale
      const needed = fencesFor(await listAgents(), skills, fences)
      fences = { ...fences, ...needed }
      return Object.keys(needed).length > 0
    },
  }
}
