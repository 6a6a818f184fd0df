import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { RuntimeName } from '@svc/facts'
import type { PoolScope, SandboxProvider } from '@svc/sandbox'
import type { ToolProgram, ToolSources } from '@svc/sandbox/providers'
import type { WarmPool } from '@svc/services'

const warmingMs = 2 * 60_000
const ofThisMachine: PoolScope = { place: null, recipe: [], start_ms: 0 }

/**
 * The pool of warm sandboxes of a deployment, and what they are made from. It is one machine's, since the folder of
 * sandboxes is, unless the provider has a place that all of the deployment's workers share.
 */
export function warmPoolOf(parts: {
  readonly size: number
  readonly runtime: RuntimeName | 'none'
  readonly provider: Pick<SandboxProvider, 'name' | 'poolScope' | 'adopt'>
  readonly deployment: string
  readonly folder: string
  readonly tools: ToolSources
  /** Addresses that a sandbox is born with. */
  readonly addresses: readonly (string | null)[]
}): WarmPool {
  const { size, runtime, provider, deployment, folder, tools, addresses } = parts
  const { node, agent_bundle, cli_folder, runtimes } = tools
  const programs = [node, agent_bundle, mainOf(cli_folder), ...Object.values(runtimes).map(fileOf)]
  const { place, recipe, start_ms } = provider.poolScope?.() ?? ofThisMachine
  return {
    // A sandbox that cannot be handed over would wait for nothing.
    size: provider.adopt === undefined ? 0 : size,
    shared: place !== null,
    pool: digest([provider.name, deployment, ...(place ?? [hostname(), folder])]),
    recipe: digest([...(place === null ? programs.map(stampOf) : []), ...recipe, ...addresses, runtime]),
    runtime: runtime === 'none' ? undefined : runtime,
    warming_ms: warmingMs + start_ms,
  }
}

function fileOf(program: ToolProgram | null): string | null {
  return program !== null && 'binary' in program ? program.binary : mainOf(program?.folder ?? null)
}

function mainOf(folder: string | null): string | null {
  return folder === null ? null : join(folder, 'main.js')
}

/** A program that was built or installed anew has another. */
function stampOf(path: string | null): string | null {
  const info = path === null ? undefined : statSync(path, { throwIfNoEntry: false })
  return info === undefined ? null : `${path} ${info.size} ${info.mtimeMs}`
}

function digest(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
