import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isExternalId } from '../../shared/external-id.ts'
import type { Host } from './host.ts'
import { sandboxPaths } from './paths.ts'
import { readRecord, type SandboxRecord } from './record.ts'

export async function listSandboxes(host: Host): Promise<readonly string[]> {
  const names = (await readdir(host.paths.root)).filter(isExternalId)
  const records = await Promise.all(names.map((name) => findRecord(host, name).catch(() => null)))
  return records.flatMap((record) => (record === null ? [] : [record.external_id]))
}

export async function findRecord(host: Host, externalId: string): Promise<SandboxRecord | null> {
  if (!isExternalId(externalId)) return null
  return readRecord(sandboxPaths(host.paths.root, externalId).state, host.scope)
}

export function lockPath(host: Host, externalId: string): string {
  return join(host.paths.locks, externalId)
}
