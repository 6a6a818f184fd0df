import { errorBody, rateHeaders, type RateLimitState, ServiceError, statusOf } from '@svc/errors'
import { type Dialect, dialects } from '@svc/models'

/** A refusal as a client of models is told of it. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly retry_after?: string
  /** A limit of the caller's key that is reached. */
  readonly rate_limit?: RateLimitState
  /** The other details of the body: the `feature` that is off, the `deadline` that was reached. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The provider's own `type`, `param` and `code`, of a refusal in the caller's dialect. */
  readonly provider_error?: Readonly<Record<string, unknown>>
}

export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal'
  readonly refusal: Refusal

  constructor(refusal: Refusal, options?: { cause?: unknown }) {
    super(refusal.message, options)
    this.refusal = refusal
  }
}

export function refuse(status: number, code: string, message: string): GatewayRefusal {
  return new GatewayRefusal({ status, code, message })
}

/** The refusal that an error becomes for the caller; null for a defect. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof GatewayRefusal) return error.refusal
  if (!(error instanceof ServiceError)) return null
  const { code, details } = error
  const { error: _, message, status: __, code: ___, ...rest } = errorBody(error)
  const { retry_after, rate_limit } = details
  return {
    status: statusOf(code),
    code,
    message,
    details: rest,
    ...(rate_limit === undefined ? {} : { rate_limit }),
    ...(retry_after === undefined ? {} : { retry_after: String(Math.max(1, Math.ceil(retry_after))) }),
  }
}

/** In the shape of the caller's dialect, with the platform's own fields beside it. */
export function refusalBody(
  refusal: Refusal,
  dialect: Dialect = dialects.chat,
  request_id = '',
): Record<string, unknown> {
  const { provider_error = {}, ...said } = refusal
  const body = dialect.refusal(said, request_id)
  // Its code is a number there, and no provider speaks that dialect.
  if (dialect.name === 'generate_content') return body
  return { ...body, error: { ...Object(body['error']), ...provider_error } }
}

export function refusalResponse(refusal: Refusal, dialect?: Dialect, request_id = ''): Response {
  const { status, retry_after, rate_limit } = refusal
  const again = status >= 500 || status === 408 || status === 429
  const headers = {
    ...(retry_after === undefined ? {} : { 'Retry-After': retry_after }),
    ...(rate_limit === undefined ? {} : rateHeaders(rate_limit)),
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(again ? {} : { 'x-should-retry': 'false' }),
  }
  return Response.json(refusalBody(refusal, dialect, request_id), { status, headers })
}
