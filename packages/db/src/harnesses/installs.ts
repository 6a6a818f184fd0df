import { installMachine } from '@svc/harness'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { HarnessInstallRow } from './harnesses.table.ts'

export interface InstallKey {
  readonly store: string
  readonly harness: string
  readonly version: string
  readonly target: string
}

const keyed = (key: InstallKey) => sql<boolean>`
  store = ${key.store} and harness = ${key.harness} and version = ${key.version} and target = ${key.target}`

export async function find(db: Db, key: InstallKey): Promise<HarnessInstallRow | undefined> {
  return db.selectFrom('harness_installs').selectAll().where(keyed(key)).executeTakeFirst()
}

export async function list(db: Db): Promise<readonly HarnessInstallRow[]> {
  return db
    .selectFrom('harness_installs')
    .selectAll()
    .where('state', '<>', 'removed')
    .orderBy('harness')
    .orderBy('version')
    .orderBy('store')
    .execute()
}

/** Asks for an install that is not there; one that is used is noted as such. Gives its row. */
export async function want(tx: Db, key: InstallKey, now: Date): Promise<HarnessInstallRow> {
  const { rows } = await sql<HarnessInstallRow>`
    insert into harness_installs (store, harness, version, target, state, fence, bytes_done, attempts,
      last_used_at, created_at, updated_at)
    values (${key.store}, ${key.harness}, ${key.version}, ${key.target}, 'wanted', 0, 0, 0, ${now}, ${now}, ${now})
    on conflict (store, harness, version, target) do update set
      last_used_at = excluded.last_used_at,
      state = case when harness_installs.state in (${sql.join(installMachine.from('want'))})
        then ${installMachine.to('want')} else harness_installs.state end,
      attempts = case when harness_installs.state in (${sql.join(installMachine.from('want'))})
        then 0 else harness_installs.attempts end,
      updated_at = excluded.updated_at
    returning *`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('An install that was asked for has no row')
  return row
}

export interface InstallHolder {
  readonly holder: string
  readonly until: Date
  readonly now: Date
}

/** Takes a wanted install for one worker; null when another has it, or it is not wanted. */
export async function begin(
  db: Db,
  key: InstallKey,
  { holder, until, now }: InstallHolder,
): Promise<number | null> {
  const row = await db
    .updateTable('harness_installs')
    .set((eb) => ({
      state: installMachine.to('begin'),
      fence: eb('fence', '+', 1),
      attempts: eb('attempts', '+', 1),
      holder,
      holder_until: until,
      bytes_done: 0,
      error: null,
      updated_at: now,
    }))
    .where(keyed(key))
    .where('state', 'in', installMachine.from('begin'))
    .returning('fence')
    .executeTakeFirst()
  return row?.fence ?? null
}

/** False when the install is another worker's by now. */
export async function beat(
  db: Db,
  key: InstallKey,
  held: { readonly fence: number; readonly bytes_done: number; readonly until: Date },
): Promise<boolean> {
  return patchHeld(db, key, held.fence, { bytes_done: held.bytes_done, holder_until: held.until })
}

export async function done(
  db: Db,
  key: InstallKey,
  held: { readonly fence: number; readonly digest: string; readonly bytes: number; readonly now: Date },
): Promise<boolean> {
  const { digest, bytes, now } = held
  return patchHeld(db, key, held.fence, {
    state: installMachine.to('done'),
    ...{ digest, bytes, bytes_done: bytes, holder: null, holder_until: null, next_attempt_at: null },
    updated_at: now,
  })
}

export async function fail(
  db: Db,
  key: InstallKey,
  held: {
    readonly fence: number
    readonly error: string
    readonly next_attempt_at: Date | null
    readonly now: Date
  },
): Promise<boolean> {
  const { error, next_attempt_at, now } = held
  return patchHeld(db, key, held.fence, {
    state: installMachine.to('fail'),
    ...{ error, next_attempt_at, holder: null, holder_until: null },
    updated_at: now,
  })
}

async function patchHeld(
  db: Db,
  key: InstallKey,
  fence: number,
  values: Partial<HarnessInstallRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('harness_installs')
    .set(values)
    .where(keyed(key))
    .where('fence', '=', fence)
    .where('state', 'in', installMachine.from('done'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Installs whose worker went silent are wanted again, and failed ones whose time has come. Gives those of this store. */
export async function reclaim(db: Db, store: string, now: Date): Promise<readonly InstallKey[]> {
  await db
    .updateTable('harness_installs')
    .set({ state: installMachine.to('lost'), holder: null, holder_until: null, updated_at: now })
    .where('state', 'in', installMachine.from('lost'))
    .where('holder_until', '<', now)
    .execute()
  await db
    .updateTable('harness_installs')
    .set({ state: installMachine.to('want'), next_attempt_at: null, updated_at: now })
    .where('state', '=', 'failed')
    .where('next_attempt_at', '<=', now)
    .execute()
  return db
    .selectFrom('harness_installs')
    .select(['store', 'harness', 'version', 'target'])
    .where('store', '=', store)
    .where('state', '=', 'wanted')
    .execute()
}

/** Files of it are missing or changed: it is made anew. */
export async function damaged(db: Db, key: InstallKey, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('harness_installs')
    .set({ state: installMachine.to('damaged'), attempts: 0, updated_at: now })
    .where(keyed(key))
    .where('state', 'in', installMachine.from('damaged'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives an install up, in every store: no session is given its files any more. */
export async function evict(tx: Db, harness: string, version: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('harness_installs')
    .set({ state: installMachine.to('evict'), updated_at: now })
    .where('harness', '=', harness)
    .where('version', '=', version)
    .where('state', 'in', installMachine.from('evict'))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
