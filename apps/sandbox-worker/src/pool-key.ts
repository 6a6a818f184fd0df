import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { RuntimeName } from '@svc/facts'
import type { KubernetesSettings, SandboxProvider, ToolProgram, ToolSources } from '@svc/sandbox'
import type { WarmPool } from '@svc/services'

const warmingMs = 2 * 60_000

/**
 * Whose warm sandboxes these are, and what they are made from. A deployment's pool is one machine's, since the folder of
 * sandboxes is; pods are the cluster's, so that all of a deployment's workers share one pool of them.
 */
export function warmPoolOf(parts: {
  readonly size: number
  readonly runtime: RuntimeName | 'none'
  readonly provider: Pick<SandboxProvider, 'name' | 'covers'>
  readonly deployment: string
  readonly folder: string
  readonly tools: ToolSources
  readonly kubernetes: KubernetesSettings
  /** Addresses that a sandbox is born with. */
  readonly addresses: readonly (string | null)[]
}): WarmPool {
  const { size, runtime, provider, deployment, folder, tools, kubernetes, addresses } = parts
  const { node, agent_bundle, cli_folder, runtimes } = tools
  const programs = [node, agent_bundle, mainOf(cli_folder), ...Object.values(runtimes).map(fileOf)]
  const names = provider.covers ?? [provider.name]
  const hasPods = names.includes('kubernetes')
  const onlyPods = hasPods && names.length === 1
  const { namespace, image, limits, storage_class, runtime_class, deadlines } = kubernetes
  return {
    size,
    pool: digest([provider.name, deployment, ...(onlyPods ? [namespace] : [hostname(), folder])]),
    recipe: digest([
      ...(onlyPods ? [] : programs.map(stampOf)),
      ...(hasPods ? [JSON.stringify([image, limits, storage_class, runtime_class])] : []),
      ...addresses,
      runtime,
    ]),
    runtime: runtime === 'none' ? undefined : runtime,
    // A pod may wait for its node and its image.
    warming_ms: hasPods ? warmingMs + (deadlines?.start_ms ?? 0) : warmingMs,
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
