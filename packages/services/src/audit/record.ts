import { auditText, type Principal } from '@svc/access'
import { audit, type AuditActorType, type AuditOutcome, type Db, jsonb } from '@svc/db'
import type { Context } from '../context.ts'

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
 * Appends to the audit log of the account. Inside a transaction it comes last: the account's chain is held until the
 * commit.
 */
export async function recordAudit(
  ctx: Pick<Context, 'principal' | 'now' | 'newId' | 'trail'>,
  db: Db,
  entry: AuditEntry,
): Promise<void> {
  const { account_id, project_id = null, session_id = null, action, outcome = 'success' } = entry
  const actor = actorOf(ctx.principal)
  const event = {
    event_id: ctx.newId(),
    at: ctx.now(),
    account_id,
    project_id,
    session_id: session_id ?? (ctx.principal.type === 'session' ? ctx.principal.session_id : null),
    action,
    target: plain(entry.target),
    outcome,
    request_id: ctx.trail?.request_id ?? null,
    ip: ctx.trail?.ip ?? null,
    details: storable({ ...entry.details, ...clientOf(ctx.principal) }),
  }
  const { type: actor_type, id: actor_id, on_behalf_of } = actor
  await audit.append(db, { ...event, actor_type, actor_id, on_behalf_of }, auditText({ ...event, actor }))
  if (ctx.trail && outcome === 'success') ctx.trail.recorded = true
}

interface Actor {
  readonly type: AuditActorType
  readonly id: string
  readonly on_behalf_of: string | null
}

/** Who did it, and for whom. */
function actorOf(principal: Principal): Actor {
  const { type } = principal
  switch (type) {
    case 'user':
    case 'service':
      return { type, id: principal.user_id, on_behalf_of: null }
    case 'project':
      return { type, id: principal.token_id, on_behalf_of: principal.user_id }
    case 'session':
      return { type, id: principal.session_id, on_behalf_of: principal.user_id }
    case 'sandbox':
      return { type, id: principal.session_id, on_behalf_of: null }
    case 'gateway':
    case 'scim':
      return { type, id: principal.token_id, on_behalf_of: null }
  }
}

/** The app that acted for the person. */
function clientOf(principal: Principal): Record<string, unknown> {
  return principal.type === 'user' && principal.oauth ? { oauth_client_id: principal.oauth.client_id } : {}
}

/** What is hashed is what a later reader finds in the column. */
function storable(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(jsonb(details)) as Record<string, unknown>
}

const targetLength = 512

function plain(text: string): string {
  return text.replaceAll(/[\x00-\x1f\x7f\ud800-\udfff]/g, '?').slice(0, targetLength)
}
