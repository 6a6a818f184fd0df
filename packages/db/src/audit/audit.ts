import { sql } from 'kysely'
import type { AuditAnchorTable, AuditEventRow, AuditHeadTable, AuditOutcome } from './audit.table.ts'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'

export type NewAuditEvent = Omit<AuditEventRow, 'seq' | 'prev_hash' | 'hash'>

/**
 * Appends to the chain of the account, in one statement: `text` is what is hashed after the hash before it. The
 * next append waits until this transaction ends, so it is the last thing that a transaction does.
 */
export async function append(db: Db, event: NewAuditEvent, text: string): Promise<void> {
  await sql`
    with head as (
      insert into audit_heads (account_id, seq, prev_hash, hash)
      values (${event.account_id}, 1, '', encode(sha256(convert_to(${text}, 'UTF8')), 'hex'))
      on conflict (account_id) do update set
        seq = audit_heads.seq + 1,
        prev_hash = audit_heads.hash,
        hash = encode(sha256(convert_to(audit_heads.hash || ${text}, 'UTF8')), 'hex')
      returning account_id, seq, prev_hash, hash
    )
    insert into audit_events (
      account_id, seq, event_id, at, project_id, session_id, actor_type, actor_id, on_behalf_of,
      action, target, outcome, request_id, ip, details, prev_hash, hash
    )
    select account_id, seq, ${event.event_id}::uuid, ${event.at}::timestamptz, ${event.project_id}::uuid,
      ${event.session_id}::uuid, ${event.actor_type}, ${event.actor_id}, ${event.on_behalf_of}::uuid,
      ${event.action}, ${event.target}, ${event.outcome}, ${event.request_id}, ${event.ip},
      ${jsonb(event.details)}::jsonb, prev_hash, hash
    from head`.execute(db)
}

export interface AuditFilter {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly project_id?: string | undefined
  readonly outcome?: AuditOutcome | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

function filtered(db: Db, account_id: string, filter: AuditFilter) {
  const { actor, action, project_id, outcome, since, until } = filter
  let query = db.selectFrom('audit_events').selectAll().where('account_id', '=', account_id)
  if (actor !== undefined) {
    query = query.where((eb) => eb.or([eb('actor_id', '=', actor), eb(sql`on_behalf_of::text`, '=', actor)]))
  }
  if (action !== undefined) query = query.where('action', '=', action)
  if (project_id !== undefined) query = query.where('project_id', '=', project_id)
  if (outcome !== undefined) query = query.where('outcome', '=', outcome)
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  return query
}

/** Newest first, from below `before`. */
export async function list(
  db: Db,
  account_id: string,
  filter: AuditFilter & { readonly before?: number | undefined; readonly limit: number },
): Promise<AuditEventRow[]> {
  let query = filtered(db, account_id, filter)
  if (filter.before !== undefined) query = query.where('seq', '<', filter.before)
  return query.orderBy('seq', 'desc').limit(filter.limit).execute()
}

/** Oldest first, from above `after`: the order of the chain. */
export async function listChain(
  db: Db,
  account_id: string,
  filter: AuditFilter & { readonly after: number; readonly limit: number },
): Promise<AuditEventRow[]> {
  return filtered(db, account_id, filter)
    .where('seq', '>', filter.after)
    .orderBy('seq')
    .limit(filter.limit)
    .execute()
}

export async function head(db: Db, account_id: string): Promise<AuditHeadTable | undefined> {
  return db.selectFrom('audit_heads').selectAll().where('account_id', '=', account_id).executeTakeFirst()
}

export async function anchor(db: Db, account_id: string): Promise<AuditAnchorTable | undefined> {
  return db.selectFrom('audit_anchors').selectAll().where('account_id', '=', account_id).executeTakeFirst()
}

const slackMs = 24 * 3_600_000

/**
 * Accounts whose chain may be pruned, each with the last event to prune: at most `limit` events, all older than `before`.
 * An account is listed once its oldest event is a day overdue and not its only one, since each pruning leaves an event.
 */
export async function listPrunable(db: Db, before: Date, limit: number): Promise<AuditAnchorTable[]> {
  const overdue = new Date(before.getTime() - slackMs)
  const { rows } = await sql<AuditAnchorTable>`
    select h.account_id, last.seq, last.hash, last.at
    from audit_heads h
    cross join lateral (
      select at from audit_events where account_id = h.account_id and seq < h.seq order by seq limit 1
    ) first
    cross join lateral (
      with oldest as (
        select seq, hash, at from audit_events where account_id = h.account_id order by seq limit ${limit}
      )
      select seq, hash, at from oldest
      where seq < coalesce((select min(seq) from oldest where at >= ${before}::timestamptz), h.seq + 1)
      order by seq desc limit 1
    ) last
    where first.at < ${overdue}::timestamptz`.execute(db)
  return rows
}

/** Removes the events up to the anchor and returns their number; 0 when another process did so first. */
export async function prune(tx: Db, { account_id, ...to }: AuditAnchorTable): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`audit-anchor ${account_id}`}, 0))`.execute(tx)
  const from = (await anchor(tx, account_id))?.seq ?? 0
  if (from >= to.seq) return 0
  await tx
    .insertInto('audit_anchors')
    .values({ account_id, ...to })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(to))
    .execute()
  return to.seq - from
}
