/** What one request leaves behind for the audit log; the verbs fill it in on their way. */
export interface AuditTrail {
  readonly request_id: string
  readonly ip: string | null
  /** What the request was found to be about; null as long as nobody asked. */
  subject: { readonly account_id: string; readonly project_id: string | null } | null
  /** Whether a decision went against the caller, also where the answer only says that nothing is there. */
  denied: boolean
}

export function newTrail(request_id: string, ip: string | null): AuditTrail {
  return { request_id, ip, subject: null, denied: false }
}
