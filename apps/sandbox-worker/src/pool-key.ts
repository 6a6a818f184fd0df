import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { ToolSources } from '@svc/sandbox'
import type { WarmPool } from '@svc/services'

/**
 * Whose warm sandboxes these are, and what they are made from. A deployment's pool is one machine's: the folder of
 * sandboxes is.
 */
export function warmPoolOf(parts: {
  readonly size: number
  readonly runtime: 'agentrt' | 'pi' | 'none'
  readonly provider: string
  readonly deployment: string
  readonly folder: string
  readonly tools: ToolSources
  /** Addresses that a sandbox is born with. */
  readonly addresses: readonly (string | null)[]
}): WarmPool {
  const { size, runtime, provider, deployment, folder, tools, addresses } = parts
  const { node, agent_bundle, cli_folder, runtime_binary, pi_folder } = tools
  const programs = [node, agent_bundle, runtime_binary, ...[cli_folder, pi_folder].map(mainOf)]
  return {
    size,
    pool: digest([provider, deployment, hostname(), folder]),
    recipe: digest([...programs.map(stampOf), ...addresses, runtime]),
    runtime: runtime === 'none' ? undefined : runtime,
  }
}

function mainOf(folder: string | null | undefined): string | null {
  return folder ? join(folder, 'main.js') : null
}

/** A program that was built or installed anew has another. */
function stampOf(path: string | null): string | null {
  const info = path === null ? undefined : statSync(path, { throwIfNoEntry: false })
  return info === undefined ? null : `${path} ${info.size} ${info.mtimeMs}`
}

function digest(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
