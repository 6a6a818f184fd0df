/** Facts of one request for the audit log; the verbs fill them in on their way. */
export interface AuditTrail {
  readonly request_id: string
  readonly ip: string | null
  /** The account and project of the request; null until a verb has looked them up. */
  subject: { readonly account_id: string; readonly project_id: string | null } | null
  /** True when a decision went against the caller, also where the answer only says that nothing is there. */
  denied: boolean
}

export function newTrail(request_id: string, ip: string | null): AuditTrail {
  return { request_id, ip, subject: null, denied: false }
}
