import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxSpec } from '../../provider.ts'
import { claimUid, releaseClaims } from './claims.ts'
import type { Host } from './host.ts'
import { networkOf } from './network/network-of.ts'
import { daemonSocket, sandboxPaths } from './paths.ts'
import { removeTree } from './files/remove-tree.ts'
import { type SandboxRecord, writeRecord } from './record.ts'
import { makeSandboxFolders } from './files/sandbox-folders.ts'

/** Makes the folders of a new sandbox. The record is written last: a folder without one is a try that was cut short. */
export async function makeSandbox(host: Host, externalId: string, spec: SandboxSpec): Promise<SandboxRecord> {
  const paths = sandboxPaths(host.paths.root, externalId)
  await removeTree(paths.folder)
  const uid = host.uids === null ? null : await claimUid(host.paths.claims, host.uids, externalId)
  await makeSandboxFolders(paths, uid)
  const record: SandboxRecord = {
    external_id: externalId,
    sandbox_id: spec.sandbox_id,
    scope: host.scope,
    workload: spec.workload ?? 'session',
    environment: { ...spec.environment },
    limits: { ...spec.limits },
    uid,
    ...(await networkOf(host, { external_id: externalId, workload: spec.workload ?? 'session' })),
    run: { status: 'stopped' },
    ended_because: null,
  }
  await writeRecord(paths.state, record)
  return record
}

/** The folder goes out of sight in one step; what is interrupted after that is swept when a provider opens. */
export async function removeSandbox(host: Host, record: SandboxRecord): Promise<void> {
  const paths = sandboxPaths(host.paths.root, record.external_id)
  const trash = join(host.paths.trash, `${record.external_id}.${randomBytes(6).toString('hex')}`)
  await rename(paths.folder, trash)
  await releaseClaims(host.paths.claims, claimNames(record))
  await rm(daemonSocket(host.paths.root, record.external_id), { force: true })
  await removeTree(trash)
}

function claimNames(record: SandboxRecord): readonly string[] {
  return [...(record.uid === null ? [] : [`uid-${record.uid}`]), `address-${record.address}`]
}
