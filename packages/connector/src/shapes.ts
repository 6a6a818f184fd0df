/** The harm that an action may do to the service behind it: `destructive` takes away what cannot be brought back. */
export const risks = ['read', 'write', 'destructive'] as const
export type Risk = (typeof risks)[number]

/**
 * Of an action in the catalogue. `changed`: it is no longer what a person accepted; `gone`: its service does not list it.
 */
export const actionStates = ['active', 'changed', 'gone'] as const
export type ActionState = (typeof actionStates)[number]

export const decisions = ['always_run', 'require_approval', 'block'] as const
export type Decision = (typeof decisions)[number]

export type JsonObject = Readonly<Record<string, unknown>>

/** An action as its service describes it. */
export interface ConnectorAction {
  readonly action: string
  readonly title: string | null
  readonly description: string
  readonly risk: Risk
  /** JSON Schema (2020-12, or a draft that its service named) of the arguments, always of an object. */
  readonly input_schema: JsonObject
  /** The way it is called: method, path, parts of the arguments. Only the provider that made it reads it. */
  readonly binding: JsonObject
}

/** Why a call did not end in a result of its action. */
export const reasons = [
  'connector_not_found',
  'action_not_found',
  'policy_block',
  'connector_not_connected',
  'connection_expired',
  'connector_changed',
  'account_suspended',
  'approval_denied',
  'approval_expired',
  'call_cancelled',
  'connector_unusable',
  'aggregator_not_configured',
  'computer_offline',
  'invalid_arguments',
  'arguments_too_large',
  'upstream_error',
  'upstream_unreachable',
  'redirect_refused',
  'address_not_allowed',
  'response_too_large',
  'upstream_timeout',
  'outcome_unknown',
  'approval_required',
  'still_running',
] as const
export type Reason = (typeof reasons)[number]
