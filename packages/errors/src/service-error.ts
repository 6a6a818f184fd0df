/** Every stable code of the platform and the HTTP status it answers with. */
const statuses = {
  invalid_request: 400,
  malformed_json: 400,
  unsupported_media_type: 415,
  INVALID_IDEMPOTENCY_KEY: 400,
  INVALID_SESSION_RUNTIME_CONTEXT: 400,
  INVALID_SESSION_CONNECTOR_BINDINGS: 400,
  INVALID_SESSION_SECRETS: 400,
  SECRET_NAME_RESERVED: 400,
  CR_SAME_REF: 400,
  CR_REF_NOT_FOUND: 400,
  REF_NOT_FOUND: 400,
  repository_not_allowed: 400,
  repository_not_connected: 400,
  domain_not_allowed: 400,
  expiry_required: 400,
  expiry_too_far: 400,
  model_ambiguous: 400,
  cost_not_bounded: 400,
  cannot_translate: 400,
  model_refused: 400,
  address_not_allowed: 400,
  channel_not_declared: 400,
  app_config_invalid: 400,
  unauthorized: 401,
  session_token_revoked: 401,
  invalid_credentials: 401,
  totp_required: 401,
  otp_expired: 401,
  refresh_token_not_found: 401,
  refresh_token_already_used: 401,
  app_auth_required: 401,
  entitlement_required: 402,
  subscription_required: 402,
  no_account: 402,
  insufficient_credits: 402,
  budget_exceeded: 402,
  forbidden: 403,
  account_mfa_required: 403,
  account_suspended: 403,
  account_sso_required: 403,
  sso_required: 403,
  insufficient_scope: 403,
  feature_disabled: 403,
  feature_operator_only: 403,
  model_not_allowed: 403,
  person_required: 403,
  conversation_not_in_project: 403,
  second_person_required: 403,
  fresh_sign_in_required: 403,
  CR_SELF_MERGE_REFUSED: 403,
  REVIEW_SELF_ACT_REFUSED: 403,
  not_found: 404,
  project_archived: 404,
  model_not_found: 404,
  app_not_found: 404,
  link_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  LAST_OWNER: 409,
  LAST_PLATFORM_ADMIN: 409,
  WORK_NOT_OWED: 409,
  BACKUP_NOT_CONFIGURED: 409,
  BACKUP_RUNNING: 409,
  domain_taken: 409,
  CR_ALREADY_OPEN: 409,
  CR_NOT_OPEN: 409,
  CR_NOT_CLOSED: 409,
  CR_STALE_HEAD: 409,
  CR_STALE_BASE: 409,
  CR_UNRELATED_HISTORIES: 409,
  MERGE_CONFLICT: 409,
  IDEMPOTENCY_KEY_CONFLICT: 409,
  IDEMPOTENCY_CONNECTOR_BINDINGS_CONFLICT: 409,
  IDEMPOTENCY_SECRETS_CONFLICT: 409,
  IDEMPOTENCY_RUNTIME_CONTEXT_CONFLICT: 409,
  IDEMPOTENCY_PROVIDER_SECRET_POOLS_CONFLICT: 409,
  IDEMPOTENCY_KEY_SESSION_DELETED: 409,
  SESSION_ID_TAKEN: 409,
  PERSONAL_SECRET_REQUIRES_PRIVATE_SESSION: 409,
  SESSION_NOT_STARTABLE: 409,
  SESSION_NOT_RUNNING: 409,
  PROMPT_NOT_CANCELLABLE: 409,
  REFRESH_BLOCKED: 409,
  ASK_NOT_PENDING: 409,
  ASK_PENDING: 409,
  REVIEW_STALE: 409,
  REVIEW_NOT_OPEN: 409,
  not_safe_in_bulk: 409,
  provision_in_flight: 409,
  connector_not_connected: 409,
  delivery_not_failed: 409,
  already_linked: 409,
  app_release_expired: 409,
  app_release_not_ready: 409,
  app_release_final: 409,
  app_rollout_in_progress: 409,
  CATALOGUE_STALE: 409,
  APPROVAL_STALE: 409,
  APPROVAL_NOT_PENDING: 409,
  CALL_NOT_CANCELLABLE: 409,
  CALL_NOT_UNKNOWN: 409,
  PERSONAL_CONNECTOR_CONNECTION_REQUIRES_PRIVATE_SESSION: 409,
  repository_push_rejected: 409,
  events_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  CR_HEAD_NOT_AHEAD: 422,
  MANIFEST_INVALID: 422,
  weak_password: 422,
  domain_not_proved: 422,
  issuer_not_usable: 422,
  TRIGGER_CANNOT_FIRE: 422,
  SANDBOX_TEMPLATE_REFUSED: 422,
  HARNESS_UNKNOWN: 400,
  HARNESS_LICENCE_REQUIRED: 409,
  HARNESS_LICENCE_CHANGED: 409,
  HARNESS_UNAVAILABLE: 409,
  HARNESS_IN_USE: 409,
  RUNTIME_OPTION_INVALID: 400,
  RUNTIME_UNSUPPORTED: 409,
  preview_host_missing: 422,
  channel_not_usable: 422,
  app_commit_not_merged: 422,
  project_limit: 422,
  storage_limit: 422,
  model_unpriced: 422,
  session_limit_reached: 429,
  app_release_limit: 429,
  app_concurrency_limit: 429,
  project_secret_write_limit: 429,
  rate_limit_exceeded: 429,
  over_request_rate_limit: 429,
  over_email_send_rate_limit: 429,
  trigger_fire_failed: 500,
  sandbox_unreachable: 502,
  app_unreachable: 502,
  git_mirror_unavailable: 503,
  app_stopped: 503,
  app_starting: 503,
  app_failed: 503,
  request_deadline: 503,
  session_starting: 503,
  maintenance: 503,
  archive_unavailable: 503,
  temporarily_unavailable: 503,
  executor_unavailable: 503,
  model_unavailable: 503,
  model_deadline: 504,
} as const

export type ErrorCode = keyof typeof statuses
export type ErrorStatus = (typeof statuses)[ErrorCode]

/** A limit as its headers tell it, `X-RateLimit-*`. */
export interface RateLimitState {
  readonly limit: number
  readonly remaining: number
  /** Seconds until there is room again. */
  readonly reset: number
}

/** Extra fields of the error body. `retry_after` (seconds) becomes the Retry-After header, `rate_limit` those of a limit. */
export type ErrorDetails = Readonly<Record<string, unknown>> & {
  readonly retry_after?: number
  readonly rate_limit?: RateLimitState
}

/** A refusal the caller can act on. Anything else that is thrown is a defect and becomes a 500. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

export function statusOf(code: ErrorCode): ErrorStatus {
  return statuses[code]
}

export const errorCodes = Object.keys(statuses) as readonly ErrorCode[]
