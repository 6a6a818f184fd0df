import type { Reason } from './shapes.ts'

export interface OutcomeKind {
  readonly status: 'denied' | 'error' | 'pending'
  readonly http: 202 | 400 | 403 | 404 | 413 | 502 | 504
}

const denied = (http: 403 | 404): OutcomeKind => ({ status: 'denied', http })
const failed = (http: 400 | 413 | 502 | 504): OutcomeKind => ({ status: 'error', http })
const pending: OutcomeKind = { status: 'pending', http: 202 }

/** Every reason with the `status` of its body and of its answer. A call that is done is 200, `done`. */
export const outcomes = {
  connector_not_found: denied(404),
  action_not_found: denied(404),
  policy_block: denied(403),
  connector_not_connected: denied(403),
  connection_expired: denied(403),
  connector_changed: denied(403),
  account_suspended: denied(403),
  approval_denied: denied(403),
  approval_expired: denied(403),
  call_cancelled: denied(403),
  connector_unusable: failed(502),
  aggregator_not_configured: failed(502),
  computer_offline: failed(502),
  invalid_arguments: failed(400),
  arguments_too_large: failed(413),
  upstream_error: failed(502),
  upstream_unreachable: failed(502),
  redirect_refused: failed(502),
  address_not_allowed: failed(502),
  response_too_large: failed(502),
  upstream_timeout: failed(504),
  outcome_unknown: failed(504),
  approval_required: pending,
  still_running: pending,
} as const satisfies Readonly<Record<Reason, OutcomeKind>>
