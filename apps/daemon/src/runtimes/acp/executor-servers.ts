import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { McpServer } from '@agentclientprotocol/sdk'
import type { HarnessLaunch } from '@svc/harness'
import { executorName, hasConnectors } from '../connectors.ts'
import type { Initialized } from './schemas.ts'

type Env = Readonly<Record<string, string>>

/** Variables of the session that the bridge needs; an agent may give its servers no other. */
const bridged =
  /^(PATH|HOME|TMPDIR|SVC_API_URL|SVC_SESSION_ID|SVC_PROJECT_ID|SVC_EXECUTOR_TOKEN|NODE_.*|(HTTPS?|NO|ALL)_PROXY)$/i

/**
 * The connectors of the session as a server of the agent, where it has any: by HTTP, or over stdin and stdout, which
 * each agent of the protocol takes. None for a program that passes no server on.
 */
export function executorServers(parts: {
  readonly env: Env
  readonly initialized: Initialized
  readonly launch: Pick<HarnessLaunch, 'mcp'>
}): McpServer[] {
  const { env, launch } = parts
  if (!hasConnectors(env) || launch.mcp.length === 0) return []
  const { http = false } = parts.initialized.agentCapabilities?.mcpCapabilities ?? {}
  if (http && launch.mcp.includes('http')) {
    const headers = [{ name: 'Authorization', value: `Bearer ${env['SVC_EXECUTOR_TOKEN'] ?? ''}` }]
    return [{ type: 'http', name: executorName, url: `${env['SVC_API_URL'] ?? ''}/executor/mcp`, headers }]
  }
  const command = programOf(env, 'svc')
  if (command === null) return []
  const given = Object.entries(env).flatMap(([name, value]) => (bridged.test(name) ? [{ name, value }] : []))
  return [{ name: executorName, command, args: ['mcp', 'bridge', 'executor'], env: given }]
}

/** The protocol asks for an absolute path. */
function programOf(env: Env, name: string): string | null {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}
