import type { SealedPlace } from '@svc/context'
import { createDatabase, type Db, gatewayProviders, sealedKeys } from '@svc/db'
import { openSnapshot } from '@svc/db/backups'
import type { Repositories } from '@svc/git'
import type { ObjectStore } from '@svc/objects'
import type { Vault } from '@svc/vault'
import { gatewayKeyFile, type Manifest, manifestFile, masterKeyFile, probeFile } from '../format/manifest.ts'
import { PartWriter } from '../format/part-writer.ts'
import { readEarlier } from './earlier.ts'
import { writeObjects } from './write-objects.ts'
import { writeRepositories } from './write-repositories.ts'
import { writeRows } from './write-rows.ts'

export interface BackupParts {
  readonly db: Db
  /** With a role that reads every table. */
  readonly read_url: string
  readonly repositories: Pick<Repositories, 'open'>
  readonly objects: ObjectStore
  readonly vault: Vault
  /** Columns that hold what the master keys sealed. */
  readonly places: readonly SealedPlace[]
  readonly version: string
  readonly now: () => Date
}

export interface BackupWish {
  readonly backup_id: string
  readonly name: string
  readonly to: ObjectStore
  /** The name of an earlier backup of the same place. */
  readonly since?: string | undefined
  /** The text of the master key's file; it is left out of a backup else. */
  readonly master_key?: string | undefined
  /** The same of the key that seals keys of model providers. */
  readonly gateway_key?: string | undefined
}

export interface TakenBackup {
  readonly manifest: Manifest
  readonly bytes: number
  /** Managed projects whose repository is not there, or lost objects that its references need. */
  readonly missing: readonly string[]
}

/**
 * Rows first, then repositories, then objects: a repository that is newer than its row does no harm, and a row that is
 * newer than its repository would name a commit that is in no backup. The manifest comes last.
 */
export async function takeBackup(parts: BackupParts, wish: BackupWish): Promise<TakenBackup> {
  const { to, name, backup_id } = wish
  const earlier = wish.since === undefined ? null : await readEarlier(to, wish.since)
  const writer = new PartWriter(to, name)
  const snapshot = await openSnapshot(parts.read_url)
  try {
    await writeRows(writer, snapshot)
  } finally {
    await snapshot.close()
  }
  const { written, missing } = await writeRepositories(writer, parts.repositories, snapshot.projects, earlier)
  await writeObjects(writer, parts.objects, earlier)
  await writer.write(probeFile, Buffer.from(JSON.stringify({ sealed: probeOf(parts.vault, backup_id) })))
  if (wish.master_key !== undefined) await writer.write(masterKeyFile, Buffer.from(wish.master_key))
  if (wish.gateway_key !== undefined) await writer.write(gatewayKeyFile, Buffer.from(wish.gateway_key))
  const manifest: Manifest = {
    format: 1,
    backup_id,
    version: parts.version,
    schema_level: snapshot.level,
    rows_at: snapshot.rows_at,
    finished_at: parts.now(),
    key_ids: await keyIds(parts),
    parts: writer.parts,
    repositories: written,
  }
  await to.put(`${name}/${manifestFile}`, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  return { manifest, bytes: writer.bytes, missing }
}

/** Something that only the master key of this deployment opens: a restore tries its own on it before it writes. */
const probeOf = (vault: Vault, backup_id: string): string => vault.createDataKey(probePlace(backup_id)).sealed

export const probePlace = (backup_id: string): readonly string[] => ['backup', backup_id]

async function keyIds({ read_url, places, vault }: BackupParts): Promise<string[]> {
  const db = createDatabase(read_url, { max: 1 })
  try {
    const uses: string[] = []
    for (const place of await sealedKeys.existing(db, places))
      uses.push(...(await sealedKeys.countByKey(db, place)).map(({ key_id }) => key_id))
    const [kept] = await sealedKeys.existing(db, [{ table: 'gateway_provider_keys', column: 'sealed' }])
    const ofProviders = kept === undefined ? [] : await gatewayProviders.sealingKeyIds(db)
    return [...new Set([vault.key_id, ...uses, ...ofProviders])].toSorted()
  } finally {
    await db.destroy()
  }
}
