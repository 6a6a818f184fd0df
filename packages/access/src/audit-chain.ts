import { canonicalJson } from '@svc/facts'

/** One link of a chain, an account's or the platform's: the event without its hashes. */
export interface AuditContent {
  readonly event_id: string
  readonly at: Date
  /** Null in the platform's chain, where no account is concerned. */
  readonly account_id: string | null
  readonly project_id: string | null
  readonly session_id: string | null
  readonly actor: { readonly type: string; readonly id: string; readonly on_behalf_of: string | null }
  readonly action: string
  readonly target: string
  readonly outcome: string
  readonly request_id: string | null
  readonly ip: string | null
  readonly details: Readonly<Record<string, unknown>>
}

/** The text that is hashed after the hash of the link before: the same event gives the same text, wherever it was read. */
export function auditText(event: AuditContent): string {
  return canonicalJson({
    event_id: event.event_id,
    at: event.at.toISOString(),
    account_id: event.account_id,
    project_id: event.project_id,
    session_id: event.session_id,
    actor: { type: event.actor.type, id: event.actor.id, on_behalf_of: event.actor.on_behalf_of },
    action: event.action,
    target: event.target,
    outcome: event.outcome,
    request_id: event.request_id,
    ip: event.ip,
    details: event.details,
  })
}

export interface AuditLink {
  readonly seq: number
  readonly prev_hash: string
  readonly hash: string
}

/** The reason that a link does not follow from the one before, or null. `sha256` gives lowercase hexadecimal. */
export function brokenLink(
  before: Pick<AuditLink, 'seq' | 'hash'> | null,
  link: AuditLink & AuditContent,
  sha256: (text: string) => string,
): 'gap' | 'prev_hash' | 'hash' | null {
  if (link.seq !== (before?.seq ?? 0) + 1) return 'gap'
  if (link.prev_hash !== (before?.hash ?? '')) return 'prev_hash'
  return sha256(link.prev_hash + auditText(link)) === link.hash ? null : 'hash'
}
