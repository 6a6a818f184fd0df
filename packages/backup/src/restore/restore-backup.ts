import { readdir } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { Readable } from 'node:stream'
import type { Meter } from '@svc/boot'
import type { SealedPlace } from '@svc/context'
import { createDatabase, type Db, migrate, migrations, projects } from '@svc/db'
import { countOwn, restoreRows } from '@svc/db/backups'
import type { Repositories } from '@svc/git'
import { type ObjectStore, readObject } from '@svc/objects'
import { loseRestoredCalls, missRestoredSlots, stopRestoredSessions } from '@svc/services'
import type { KeySealer, Vault } from '@svc/vault'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Manifest, objectFile, rowsFile, sequencesFile } from '../format/manifest.ts'
import { openMarks, readMarks, type Step } from './marks.ts'
import { renewKeys } from './renew-keys.ts'
import { restoreRepositories } from './restore-repositories.ts'
import { requireKeys, verifyBackup } from './verify.ts'

export interface RestoreTarget {
  /** Of an empty database, with the role that owns it. */
  readonly database_url: string
  readonly repositories: Repositories
  readonly repositories_dir: string
  readonly objects: ObjectStore
  readonly vault: Vault
  /** Every column that holds a data key, to go without all that is sealed where the vault does not open it. */
  readonly without_secrets?: readonly SealedPlace[] | undefined
  /** Opens keys of model providers; needed where the backup holds any. */
  readonly sealer?: KeySealer | undefined
  readonly version: string
  readonly metrics: Meter
  /** The file of the marks; its folder holds what is under way. */
  readonly marks_file: string
  readonly marks_folder: string
  /** Brings the schema to the level of this build, the one of the jobs too. */
  readonly migrateSchema: () => Promise<unknown>
  /** Looks for what does not fit together, once all is there; returns the number of findings. */
  readonly runChecks?: ((db: Db) => Promise<number>) | undefined
  /** Once the backup is whole, its keys open it and the place is empty: just before the first write. */
  readonly begin?: (() => Promise<void>) | undefined
  /** Told when a step begins and after it. */
  readonly progress?: ((text: string) => void) | undefined
}

export interface Restored {
  readonly backup_id: string
  readonly rows_at: Date
  readonly sessions_stopped: number
  readonly triggers_missed: number
  /** Data keys that were made anew, since nothing opens those of the backup. */
  readonly keys_lost: number
  /** Null where no checks were run. */
  readonly findings: number | null
}

/**
 * Puts a backup into an empty deployment. Every part is checked before the first write. It ends closed (`read_only`), so
 * that a person looks first; killed, it goes on at the step that was not finished.
 */
export async function restoreBackup(
  from: { readonly store: ObjectStore; readonly name: string },
  target: RestoreTarget,
): Promise<Restored> {
  const manifest = await verifyBackup(from.store, from.name)
  const { vault, sealer } = target
  if (target.without_secrets === undefined)
    await requireKeys(from.store, from.name, manifest, { vault, sealer })
  requireLevel(manifest, target.version)
  await requireEmpty(target, manifest)
  await target.begin?.()
  const marks = await openMarks(target.marks_file, manifest.backup_id)
  const step = async (name: Step, work: () => Promise<void>) => {
    if (marks.has(name)) return
    target.progress?.(name)
    await work()
    await marks.add(name)
  }
  await step('schema', () => migrateTo(target, manifest))
  await step('rows', () => putRows(from, target, manifest))
  await target.migrateSchema()
  const db = createDatabase(target.database_url, { max: 4 })
  try {
    const ctx = { db, metrics: target.metrics, now: () => new Date(), newId: randomUUID }
    const sessions_stopped = await stopRestoredSessions(ctx)
    const triggers_missed = await missRestoredSlots(ctx)
    await loseRestoredCalls(ctx)
    const places = target.without_secrets
    const keys_lost = places === undefined ? 0 : await renewKeys(db, { vault, places }, ctx.now())
    const backup = { ...from, manifest }
    await step('repositories', async () =>
      restoreRepositories(target.repositories, backup, await projects.listManaged(db), target.marks_folder),
    )
    await step('objects', () => putObjects(from, target, manifest))
    let findings: number | null = null
    await step('checks', async () => {
      findings = (await target.runChecks?.(db)) ?? null
    })
    const { backup_id, rows_at } = manifest
    return { backup_id, rows_at, sessions_stopped, triggers_missed, keys_lost, findings }
  } finally {
    await db.destroy()
  }
}

function requireLevel({ schema_level, version }: Manifest, own: string): void {
  const newest = migrations.at(-1)?.level ?? 0
  if (schema_level > newest)
    throw new Error(
      `The backup is of release ${version} and schema ${schema_level}; this build (${own}) knows ${newest}. Restore with that release or a newer one.`,
    )
}

/** A restore that was begun finds what it wrote itself. */
async function requireEmpty(target: RestoreTarget, { backup_id }: Manifest): Promise<void> {
  if ((await readMarks(target.marks_file))?.backup_id === backup_id) return
  const { accounts, projects: count } = await countOwn(target.database_url)
  if (accounts + count > 0)
    throw new Error(`The database is not empty: it has ${count} projects. Restore into a new one.`)
  const folders = (await readdir(target.repositories_dir).catch(() => [])).filter((name) =>
    name.endsWith('.git'),
  )
  if (folders.length > 0)
    throw new Error(
      `${target.repositories_dir} is not empty: it has ${folders.length} repositories. Restore into a new folder.`,
    )
  for await (const { key } of target.objects.list(''))
    throw new Error(`The object store is not empty: it has ${key}. Restore into a new one.`)
}

async function migrateTo({ database_url, version }: RestoreTarget, manifest: Manifest): Promise<void> {
  const upTo = migrations.filter(({ level }) => level <= manifest.schema_level)
  await migrate(database_url, { version, contract: true, migrations: upTo })
}

/** One transaction: rows that are there already were committed by a run that was killed before it could say so. */
async function putRows(
  { store, name }: { readonly store: ObjectStore; readonly name: string },
  target: RestoreTarget,
  manifest: Manifest,
): Promise<void> {
  if ((await countOwn(target.database_url)).accounts > 0) return
  const sequences = await readObject(store, `${name}/${sequencesFile}`)
  await restoreRows(target.database_url, {
    tables: manifest.parts.flatMap(({ path }) => /^rows\/(.+)\.copy\.gz$/.exec(path)?.[1] ?? []),
    sequences: z.record(z.string(), z.string()).parse(JSON.parse(sequences?.toString('utf8') ?? '{}')),
    async open(table): Promise<Readable> {
      const content = await store.get(`${name}/${rowsFile(table)}`)
      if (content === null) throw new Error(`${rowsFile(table)} is not in the backup any more`)
      const rows = createGunzip()
      content.once('error', (error) => rows.destroy(error))
      return content.pipe(rows)
    },
    message: `Restored from the backup of ${manifest.rows_at.toISOString()}; it is looked at before it opens.`,
    backup: { ...manifest, bytes: manifest.parts.reduce((sum, { bytes }) => sum + bytes, 0) },
  })
}

async function putObjects(
  { store, name }: { readonly store: ObjectStore; readonly name: string },
  { objects }: RestoreTarget,
  { parts }: Manifest,
): Promise<void> {
  const prefix = objectFile('')
  for (const { path, bytes } of parts) {
    if (!path.startsWith(prefix)) continue
    const key = path.slice(prefix.length)
    if ((await objects.head(key))?.bytes === bytes) continue
    const content = await store.get(`${name}/${path}`)
    if (content === null) throw new Error(`${path} is not in the backup any more`)
    await objects.put(key, content)
  }
}
