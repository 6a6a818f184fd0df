import { sql } from 'kysely'
import type { AuditEventRow, AuditHeadTable, AuditOutcome } from './audit.table.ts'
import type { Db } from './database.ts'
import { jsonb } from './jsonb.ts'

export type NewAuditEvent = Omit<AuditEventRow, 'seq' | 'prev_hash' | 'hash'>

/**
 * Appends to the chain of the account, in one statement: `text` is what is hashed after the hash before it. Whoever
 * appends next waits until this transaction ends, so it is the last thing that a transaction does.
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
