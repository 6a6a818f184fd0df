import { installMachine } from '@svc/harness'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { InstallKey } from './installs.ts'

const keyColumns = ['store', 'harness', 'version', 'target'] as const

const keyed = (key: InstallKey) => sql<boolean>`
  store = ${key.store} and harness = ${key.harness} and version = ${key.version} and target = ${key.target}`

const evictable = installMachine.from('evict')

/** Installs of a store that no start has asked for since `before`. */
export async function listUnused(db: Db, store: string, before: Date): Promise<readonly InstallKey[]> {
  return db
    .selectFrom('harness_installs')
    .select(keyColumns)
    .where('store', '=', store)
    .where('state', 'in', evictable)
    .where('last_used_at', '<', before)
    .execute()
}

/** Holds the row of an install until the transaction ends: a start waits. False when one has asked for it meanwhile. */
export async function lockUnused(tx: Db, key: InstallKey, before: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('harness_installs')
    .select('store')
    .where(keyed(key))
    .where('state', 'in', evictable)
    .where('last_used_at', '<', before)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Holds a version in every store until the transaction ends. */
export async function lockVersion(tx: Db, harness: string, version: string): Promise<void> {
  await tx
    .selectFrom('harness_installs')
    .select('store')
    .where('harness', '=', harness)
    .where('version', '=', version)
    // One order for all who lock several.
    .orderBy('store')
    .orderBy('target')
    .forUpdate()
    .execute()
}

/** Gives up the install of one store, whose row the caller holds. */
export async function evictOne(tx: Db, key: InstallKey, now: Date): Promise<void> {
  await tx
    .updateTable('harness_installs')
    .set({ state: installMachine.to('evict'), updated_at: now })
    .where(keyed(key))
    .where('state', 'in', evictable)
    .execute()
}

/** Installs of a store that were given up; their files may be there still. */
export async function listRemoved(db: Db, store: string): Promise<readonly InstallKey[]> {
  return db
    .selectFrom('harness_installs')
    .select(keyColumns)
    .where('store', '=', store)
    .where('state', '=', 'removed')
    .execute()
}

/** Holds the row of an install that was given up until the transaction ends; false when it is wanted again. */
export async function lockRemoved(tx: Db, key: InstallKey): Promise<boolean> {
  const row = await tx
    .selectFrom('harness_installs')
    .select('store')
    .where(keyed(key))
    .where('state', '=', 'removed')
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}
