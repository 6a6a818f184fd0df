import { type AuditEventRow, audit, type AuditOutcome } from '@svc/db'
import { z } from 'zod'
import { requireAccount } from '../access/require.ts'
import type { Context } from '../context.ts'
import { decodeCursor, encodeCursor } from '../paging/cursor.ts'

export interface AuditQuery {
  readonly account_id: string
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly project_id?: string | undefined
  readonly outcome?: AuditOutcome | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

const Position = z.object({ before: z.int() })

/** Newest first. */
export async function listAudit(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: AuditQuery & { readonly limit: number; readonly cursor?: string | undefined },
) {
  const { account_id, limit, cursor } = input
  await requireAccount(ctx, account_id, 'admin', 'auditAccess')
  const before = cursor === undefined ? undefined : decodeCursor(Position, cursor).before
  const rows = await audit.list(ctx.db, account_id, { ...filterOf(input), before, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const more = rows.length > limit && last !== undefined
  return { events: page.map(presentEvent), next_cursor: more ? encodeCursor({ before: last.seq }) : null }
}

const batch = 500

/** Every event that matches, oldest first, as it is read; the first batch is read before this returns. */
export async function exportAudit(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: AuditQuery,
): Promise<AsyncIterable<ReturnType<typeof presentEvent>>> {
  await requireAccount(ctx, input.account_id, 'admin', 'auditAccess')
  return chain(ctx, input)
}

async function* chain(ctx: Pick<Context, 'db'>, input: AuditQuery) {
  const filter = filterOf(input)
  for (let after = 0; ;) {
    const rows = await audit.listChain(ctx.db, input.account_id, { ...filter, after, limit: batch })
    for (const row of rows) yield presentEvent(row)
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch) return
    after = last.seq
  }
}

function filterOf({ actor, action, project_id, outcome, since, until }: AuditQuery): audit.AuditFilter {
  return {
    actor,
    action,
    project_id,
    outcome,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  }
}

export function presentEvent<A extends string | null>(
  row: Omit<AuditEventRow, 'account_id'> & { account_id: A },
) {
  const { actor_type: type, actor_id: id, on_behalf_of, ...event } = row
  return {
    event_id: event.event_id,
    seq: event.seq,
    at: event.at,
    account_id: event.account_id,
    project_id: event.project_id,
    session_id: event.session_id,
    actor: { type, id, on_behalf_of },
    action: event.action,
    target: event.target,
    outcome: event.outcome,
    request_id: event.request_id,
    ip: event.ip,
    details: event.details,
    prev_hash: event.prev_hash,
    hash: event.hash,
  }
}
