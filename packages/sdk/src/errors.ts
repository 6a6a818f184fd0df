import type { ErrorCode } from './types.ts'

interface HelpedDetails {
  /** The page of the dashboard that helps, below the platform's address. */
  readonly help_path?: string
}

interface BillingDetails extends HelpedDetails {
  readonly billing_state: string
  /** Micro-dollars; null where there is no credit. */
  readonly balance: number | null
  readonly account_id: string
}

/** The `details` in the body of these codes, beside `message`. */
export interface ErrorDetailsByCode {
  /** `conflicts`: the paths that conflict. */
  readonly MERGE_CONFLICT: { readonly conflicts: readonly string[] }
  /** The one that is open for the same pair of branches. */
  readonly CR_ALREADY_OPEN: { readonly cr_id: string; readonly number: number }
  readonly PROMPT_NOT_CANCELLABLE: { readonly state: string }
  /** Such as `credential_refused`, `unreachable` or `missing_scope`. */
  readonly channel_not_usable: { readonly reason: string }
  readonly entitlement_required: { readonly entitlement: string; readonly plans: string[] } & HelpedDetails
  readonly budget_exceeded: {
    readonly budget: {
      readonly budget_id: string
      readonly name: string
      readonly level: string
      readonly subject: string | null
      readonly period: string
    }
    readonly cap_micros: number
    readonly spent_micros: number
    readonly held_micros: number
    readonly resets_at: string | null
  } & HelpedDetails
  readonly subscription_required: BillingDetails
  readonly no_account: BillingDetails
  readonly insufficient_credits: BillingDetails
  readonly feature_disabled: { readonly feature: string }
}

type DetailsOf<Code> = Code extends keyof ErrorDetailsByCode ? ErrorDetailsByCode[Code] : unknown

/** A problem with one field of a request, or with one entry of a manifest. */
export interface Issue {
  readonly path: string
  readonly message: string
  readonly [key: string]: unknown
}

export interface ApiErrorFields {
  readonly status: number
  readonly code: string | null
  readonly message: string
  readonly issues: readonly Issue[]
  readonly request_id: string | null
  readonly retry_after: number | null
  readonly details: Readonly<Record<string, unknown>>
}

/** The API answered with a refusal (4xx) or a failure (5xx). Branch on `code` and `status`, never on `message`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status. */
  readonly status: number
  /** Stable machine code such as `CR_HEAD_NOT_AHEAD`; null when the answer carries none. `isApiError` compares it. */
  readonly code: string | null
  /** Per-field problems of a 400, or the manifest's of `MANIFEST_INVALID`; else empty. */
  readonly issues: readonly Issue[]
  /** `X-Request-Id` of the answer, to report a defect with. */
  readonly request_id: string | null
  /** Seconds to wait before trying again; null when the server named none. */
  readonly retry_after: number | null
  /** Every other field of the body, such as `conflicts` or `action`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(fields: ApiErrorFields) {
    super(fields.message)
    this.status = fields.status
    this.code = fields.code
    this.issues = fields.issues
    this.request_id = fields.request_id
    this.retry_after = fields.retry_after
    this.details = fields.details
  }
}

/**
 * True when the API refused with one of these codes, or at all when none is given:
 * `if (isApiError(error, 'MERGE_CONFLICT')) console.log(error.details.conflicts)`
 */
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError & { readonly code: Code; readonly details: DetailsOf<Code> } {
  return error instanceof ApiError && (codes.length === 0 || codes.some((code) => code === error.code))
}

/** No usable answer came: unreachable, cut, timed out, or not this API. A write may or may not have happened: read before repeating. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  /** The address that was asked, without its query. */
  readonly url: string
  /** `unreachable`: nothing came back; `timeout`: nothing in time; `not_api`: something that is not this API answered. */
  readonly reason: 'unreachable' | 'timeout' | 'not_api'

  constructor(
    url: string,
    reason: ConnectionError['reason'],
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options)
    this.url = url
    this.reason = reason
  }
}
