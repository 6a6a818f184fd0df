/** Facts of one request for the audit log; the verbs fill them in on their way. */
export interface AuditTrail {
  readonly request_id: string
  readonly ip: string | null
  /** True for a request that changes nothing: a suspended account goes on with those. */
  reads: boolean
  /** The account and project of the request; null until a verb has looked them up. */
  subject: { readonly account_id: string; readonly project_id: string | null } | null
  /** True when a decision went against the caller, also where the answer only says that nothing is there. */
  denied: boolean
}

export function newTrail(request_id: string, ip: string | null, reads = false): AuditTrail {
  return { request_id, ip, reads, subject: null, denied: false }
}
