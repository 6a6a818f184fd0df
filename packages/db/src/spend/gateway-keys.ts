import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { TokenRow } from '../sign-in/tokens.table.ts'
import type { KeyLimitTable } from './calls.table.ts'

export type KeyLimits = Omit<KeyLimitTable, 'token_id'>

/** A gateway key that a person minted, with its limits. */
export interface GatewayKey extends TokenRow {
  readonly limits: KeyLimits
}

const none: KeyLimits = {
  requests_per_minute: null,
  tokens_per_minute: null,
  concurrency: null,
  models: null,
}

/** Those of sessions come and go with them, and are not listed. */
export async function list(db: Db, project_id: string): Promise<GatewayKey[]> {
  const rows = await minted(db, project_id).orderBy('created_at', 'desc').orderBy('token_id').execute()
  return withLimits(db, rows)
}

/** A key of use, held until the transaction ends. */
export async function lock(
  tx: Db,
  key: { readonly project_id: string; readonly token_id: string },
  now: Date,
): Promise<GatewayKey | undefined> {
  const rows = await minted(tx, key.project_id)
    .where('token_id', '=', key.token_id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .forUpdate()
    .execute()
  const [found] = await withLimits(tx, rows)
  return found
}

function minted(db: Db, project_id: string) {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('kind', '=', 'gateway')
    .where('session_id', 'is', null)
    .where('revoked_at', 'is', null)
}

async function withLimits(db: Db, rows: readonly TokenRow[]): Promise<GatewayKey[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ token_id }) => token_id)
  const found = await db.selectFrom('gateway_key_limits').selectAll().where('token_id', 'in', ids).execute()
  return rows.map((row) => {
    const { token_id: _, ...limits } = found.find(({ token_id }) => token_id === row.token_id) ?? {
      token_id: row.token_id,
      ...none,
    }
    return { ...row, limits }
  })
}

export async function rename(tx: Db, token_id: string, name: string): Promise<void> {
  await tx.updateTable('tokens').set({ name }).where('token_id', '=', token_id).execute()
}

/** They hold from the next call on; a key without any has no row, and its calls take no turns. */
export async function setLimits(tx: Db, token_id: string, limits: KeyLimits): Promise<void> {
  if (Object.values(limits).every((limit) => limit === null)) {
    await tx.deleteFrom('gateway_key_limits').where('token_id', '=', token_id).execute()
    return
  }
  await tx
    .insertInto('gateway_key_limits')
    .values({ token_id, ...limits })
    .onConflict((conflict) => conflict.column('token_id').doUpdateSet(limits))
    .execute()
}

/** Ends a key at an instant, unless it ends sooner. */
export async function endAt(tx: Db, token_id: string, at: Date, now: Date): Promise<void> {
  const ends =
    at <= now
      ? { revoked_at: now }
      : { expires_at: sql<Date>`least(coalesce(expires_at, ${at}::timestamptz), ${at}::timestamptz)` }
  await tx.updateTable('tokens').set(ends).where('token_id', '=', token_id).execute()
}

/** A key is no way around its budgets: the one in its place has the same, with as much spent. */
export async function copyBudgets(
  tx: Db,
  {
    project_id,
    from,
    to,
    by,
    now,
  }: {
    readonly project_id: string
    readonly from: string
    readonly to: string
    readonly by: string
    readonly now: Date
  },
): Promise<void> {
  await sql`
    with own as (
      select b.*, gen_random_uuid() as copy_id from gateway_budgets b
      where b.project_id = ${project_id} and b.level = 'key' and b.subject = ${from}
    ), copied as (
      insert into gateway_budgets (budget_id, account_id, project_id, name, level, subject, period, cap_micros, mode,
        created_by, created_at, updated_at)
      select copy_id, account_id, project_id, name, level, ${to}, period, cap_micros, mode, ${by}::uuid, ${now}, ${now}
      from own
    ), pairs as (
      select budget_id, copy_id from own
      union all
      select budget_id, budget_id from gateway_budgets
      where project_id = ${project_id} and level = 'key' and subject is null
    )
    insert into gateway_budget_windows (budget_id, subject, window_start, resets_at, lock_order, spent_micros, alerted)
    select p.copy_id, ${to}, w.window_start, w.resets_at, w.lock_order, w.spent_micros, w.alerted
    from pairs p join gateway_budget_windows w using (budget_id)
    where w.subject = ${from} and (w.resets_at is null or w.resets_at > ${now})`.execute(tx)
}
