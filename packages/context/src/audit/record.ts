import { auditText } from '@svc/access'
import { audit, type AuditAsker, type AuditOutcome, type Db, jsonb } from '@svc/db'
import type { BaseContext, Context } from '../context.ts'
import { askerOf } from './asker.ts'

export interface AuditEntry {
  readonly account_id: string
  readonly project_id?: string | null
  readonly session_id?: string | null
  /** The operation of the contract. */
  readonly action: string
  /** As a path: `projects/<id>/secrets/NAME`. */
  readonly target: string
  readonly outcome?: AuditOutcome
  /** Names and ids, never a secret value. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * Does the work and writes its event in one transaction, the event last: the account's chain is held only from there to
 * the commit. Work that answers undefined found nothing to do and leaves no event.
 */
export function audited<T extends NonNullable<unknown> | null | undefined>(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  entry: AuditEntry,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    const done = await work(tx)
    if (done !== undefined) await recordAudit(ctx, tx, entry)
    return done
  })
}

/** Appends to the audit log of the account. Comes last in a transaction. */
export async function recordAudit(
  ctx: Pick<Context, 'principal' | 'now' | 'newId' | 'trail'>,
  db: Db,
  entry: AuditEntry,
): Promise<void> {
  await recordAuditFor(ctx, db, askerOf(ctx), entry)
}

/** The same for work that a worker does after the request, in the caller's name. */
export async function recordAuditFor(
  ctx: Pick<BaseContext, 'now' | 'newId'>,
  db: Db,
  asker: AuditAsker,
  entry: AuditEntry,
): Promise<void> {
  const { row, text } = eventOf(ctx, asker, entry)
  await audit.append(db, { ...row, account_id: entry.account_id }, text)
}

/** The event as its row is, and the text that is hashed. */
export function eventOf(
  ctx: Pick<BaseContext, 'now' | 'newId'>,
  { actor, request_id, ip, ...asker }: AuditAsker,
  entry: Omit<AuditEntry, 'account_id'> & { readonly account_id: string | null },
) {
  const { account_id, project_id = null, action, outcome = 'success', details = {} } = entry
  const { session_id = null } = entry
  const event = {
    event_id: ctx.newId(),
    at: ctx.now(),
    account_id,
    project_id,
    session_id: session_id ?? asker.session_id,
    action,
    target: plain(entry.target),
    outcome,
    request_id,
    ip,
    details: storable({
      ...details,
      ...(asker.oauth_client_id === undefined ? {} : { oauth_client_id: asker.oauth_client_id }),
      ...(asker.channel === undefined ? {} : { channel: asker.channel }),
    }),
  }
  const { type: actor_type, id: actor_id, on_behalf_of } = actor
  return { row: { ...event, actor_type, actor_id, on_behalf_of }, text: auditText({ ...event, actor }) }
}

/** The details as a later reader finds them in the column, since they are hashed in that form. */
function storable(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(jsonb(details)) as Record<string, unknown>
}

const targetLength = 512

function plain(text: string): string {
  return text.replaceAll(/[\x00-\x1f\x7f\ud800-\udfff]/g, '?').slice(0, targetLength)
}
