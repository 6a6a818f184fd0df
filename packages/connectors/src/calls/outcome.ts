import { outcomes, type Reason, reasons, type Risk } from '@svc/connector'
import type { ApprovalRow, CallRule, ConnectorCallRow } from '@svc/db'

/** The end of a call, or the reason why there is none yet: the body of the answer. */
export type CallOutcome =
  | {
      readonly ok: true
      readonly status: 'done'
      readonly call_id: string
      readonly risk: Risk
      readonly data: unknown
      readonly truncated?: true
    }
  | RefusedCall

/** Details that go with some reasons. */
interface RefusalDetails {
  readonly call_id?: string
  readonly connector?: string
  /** The page where a person connects it. */
  readonly connect_url?: string
  readonly rule?: CallRule | null
  readonly issues?: { path: string; message: string }[]
  readonly detail?: string | null
  readonly upstream_status?: number
  readonly data?: unknown
  /** The page where a person decides. */
  readonly approval_url?: string
  readonly digest?: string | null
  readonly expires_at?: string | null
}

export interface RefusedCall extends RefusalDetails {
  readonly ok: false
  readonly status: 'denied' | 'error' | 'pending'
  readonly reason: Reason
  /** Says what to do. */
  readonly message: string
}

export function refusedCall(reason: Reason, message: string, details: RefusalDetails = {}): RefusedCall {
  return { ok: false, status: outcomes[reason].status, reason, message, ...details }
}

/** The status of the HTTP answer that carries it. */
export function httpStatusOf(outcome: CallOutcome): 200 | (typeof outcomes)[Reason]['http'] {
  return outcome.ok ? 200 : outcomes[outcome.reason].http
}

/** The sealed body of a result. */
export interface CallResult {
  readonly data?: unknown
  readonly truncated?: boolean
  /** Of a failure: words that may be the service's own. */
  readonly message?: string
}

interface Known {
  /** Null where it was erased, or is none of the caller's. */
  readonly result: CallResult | null
  readonly approval: ApprovalRow | undefined
  readonly approval_url: string
}

/** The outcome as the rows have it now. */
export function outcomeOf(row: ConnectorCallRow, { result, approval, approval_url }: Known): CallOutcome {
  const { call_id, risk, rule, upstream_status } = row
  const said = (reason: Reason, message: string, details: RefusalDetails = {}) =>
    refusedCall(reason, row.message ?? result?.message ?? message, { call_id, ...details })
  switch (row.status) {
    case 'succeeded':
      return {
        ...{ ok: true, status: 'done', call_id, risk, data: result?.data ?? null },
        ...(result?.truncated === true ? { truncated: true } : {}),
      }
    case 'awaiting_approval':
      return said('approval_required', `A person has to approve this call. ${comes(row)}`, {
        approval_url,
        digest: approval?.digest ?? null,
        expires_at: approval?.expires_at.toISOString() ?? null,
      })
    case 'approved':
    case 'executing':
      return said('still_running', `The call is still running. ${comes(row)}`)
    case 'rejected':
      return said('approval_denied', 'A person decided against this call; do not repeat it')
    case 'expired':
      return said(
        'approval_expired',
        'No person decided on this call in time; ask for it again if it is still wanted',
      )
    case 'cancelled':
      return said('call_cancelled', 'The call was cancelled before it ran')
    case 'unknown':
      return said('outcome_unknown', unseen)
    case 'denied':
    case 'failed': {
      const reason = reasonOf(row.reason)
      return said(
        reason,
        'The call did not succeed; what its service said is kept for its caller alone, for a day',
        {
          ...(reason === 'policy_block' ? { rule } : {}),
          ...(upstream_status === null ? {} : { upstream_status }),
          ...(result?.data === undefined ? {} : { data: result.data }),
        },
      )
    }
  }
}

/** A session is sent the result; any other caller asks for it. */
const comes = ({ session_id, call_id }: ConnectorCallRow): string =>
  session_id === null
    ? `Ask for the result of ${call_id} later; do not repeat the call`
    : 'The result will come as a message; do not repeat the call'
export const unseen =
  'The request was sent and its answer was not seen: it may have happened. Look in the other service before it is repeated; a person can settle the call'

const known: ReadonlySet<string> = new Set(reasons)

function reasonOf(reason: string | null): Reason {
  return reason !== null && known.has(reason) ? (reason as Reason) : 'upstream_error'
}
