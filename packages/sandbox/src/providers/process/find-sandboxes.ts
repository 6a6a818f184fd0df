import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isExternalId } from '../../shared/external-id.ts'
import type { Host } from './host.ts'
import { sandboxPaths } from './paths.ts'
import { readRecord, type SandboxRecord } from './record.ts'
import { statusOf } from './sandbox-state.ts'

export async function listSandboxes(host: Host): Promise<readonly string[]> {
  const names = (await readdir(host.paths.root)).filter(isExternalId)
  const records = await Promise.all(names.map((name) => findRecord(host, name).catch(() => null)))
  return records.flatMap((record) => (record === null ? [] : [record.external_id]))
}

const looksAtATime = 32

/** Asked for by id: the folder holds every sandbox that has stopped, too. */
export async function runningOf(host: Host, external_ids: readonly string[]): Promise<ReadonlySet<string>> {
  const running = new Set<string>()
  const left = [...external_ids]
  const look = async () => {
    for (let external_id = left.pop(); external_id !== undefined; external_id = left.pop()) {
      const record = await findRecord(host, external_id).catch(() => null)
      if (record === null) continue
      const status = await statusOf(record, sandboxPaths(host.paths.root, external_id)).catch(() => null)
      if (status === 'running') running.add(external_id)
    }
  }
  await Promise.all(Array.from({ length: looksAtATime }, look))
  return running
}

export async function findRecord(host: Host, externalId: string): Promise<SandboxRecord | null> {
  if (!isExternalId(externalId)) return null
  return readRecord(sandboxPaths(host.paths.root, externalId).state, host.scope)
}

export function lockPath(host: Host, externalId: string): string {
  return join(host.paths.locks, externalId)
}
