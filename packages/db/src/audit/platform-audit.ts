import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { PlatformAuditEventRow } from './platform-audit.table.ts'

export type NewPlatformAuditEvent = Omit<PlatformAuditEventRow, 'seq' | 'prev_hash' | 'hash'>

/** Appends to the platform's chain as `audit.append` does to an account's. The last thing that a transaction does. */
export async function append(db: Db, event: NewPlatformAuditEvent, text: string): Promise<void> {
  await sql`
    with head as (
      insert into platform_audit_head (seq, prev_hash, hash)
      values (1, '', encode(sha256(convert_to(${text}, 'UTF8')), 'hex'))
      on conflict (id) do update set
        seq = platform_audit_head.seq + 1,
        prev_hash = platform_audit_head.hash,
        hash = encode(sha256(convert_to(platform_audit_head.hash || ${text}, 'UTF8')), 'hex')
      returning seq, prev_hash, hash
    )
    insert into platform_audit_events (
      seq, event_id, at, account_id, project_id, session_id, actor_type, actor_id, on_behalf_of,
      action, target, outcome, request_id, ip, details, prev_hash, hash
    )
    select seq, ${event.event_id}::uuid, ${event.at}::timestamptz, ${event.account_id}::uuid,
      ${event.project_id}::uuid, ${event.session_id}::uuid, ${event.actor_type}, ${event.actor_id},
      ${event.on_behalf_of}::uuid, ${event.action}, ${event.target}, ${event.outcome}, ${event.request_id},
      ${event.ip}, ${jsonb(event.details)}::jsonb, prev_hash, hash
    from head`.execute(db)
}

/** Newest first, from below `before`. */
export async function list(
  db: Db,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<PlatformAuditEventRow[]> {
  let query = db.selectFrom('platform_audit_events').selectAll()
  if (before !== undefined) query = query.where('seq', '<', before)
  return query.orderBy('seq', 'desc').limit(limit).execute()
}

/** Oldest first, from above `after`: the order of the chain. */
export async function listChain(
  db: Db,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<PlatformAuditEventRow[]> {
  return db
    .selectFrom('platform_audit_events')
    .selectAll()
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

export async function head(db: Db): Promise<{ readonly seq: number; readonly hash: string } | undefined> {
  return db.selectFrom('platform_audit_head').select(['seq', 'hash']).executeTakeFirst()
}
