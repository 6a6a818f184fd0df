import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxSpec } from '../provider.ts'
import { claimUid, releaseClaims } from './claims.ts'
import type { Host } from './host.ts'
import { networkOf } from './network/network-of.ts'
import { daemonSocket, type SandboxPaths, sandboxPaths } from './paths.ts'
import { removeTree } from './remove-tree.ts'
import { type SandboxRecord, writeRecord } from './record.ts'

/** Makes the folders of a new sandbox. The record is written last: a folder without one is a try that was cut short. */
export async function makeSandbox(host: Host, externalId: string, spec: SandboxSpec): Promise<SandboxRecord> {
  if (spec.template?.image !== undefined || spec.template?.dockerfile !== undefined) {
    host.log('warn', 'sandboxes of this provider have no images', { template: spec.template.slug })
  }
  const paths = sandboxPaths(host.paths.root, externalId)
  await removeTree(paths.folder)
  const uid = host.uids === null ? null : await claimUid(host.paths.claims, host.uids, externalId)
  await makeFolders(paths, uid)
  const record: SandboxRecord = {
    external_id: externalId,
    sandbox_id: spec.sandbox_id,
    scope: host.scope,
    environment: { ...spec.environment },
    limits: { ...spec.limits },
    uid,
    ...(await networkOf(host, externalId)),
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

/** The platform's files stay closed to the sandbox's user, who may only pass through to its own folders. */
async function makeFolders(paths: SandboxPaths, uid: number | null): Promise<void> {
  await mkdir(paths.folder, { mode: 0o700 })
  await mkdir(paths.etc)
  await chmod(paths.etc, 0o755)
  for (const folder of [paths.workspace, paths.home, paths.run]) {
    await mkdir(folder, { mode: 0o700 })
    if (uid !== null) await chown(folder, uid, uid)
  }
  if (uid === null) return
  await chown(paths.folder, 0, uid)
  await chmod(paths.folder, 0o710)
}
