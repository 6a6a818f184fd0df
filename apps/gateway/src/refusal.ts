import { errorBody, ServiceError, statusOf } from '@svc/errors'

/** A refusal in the shape that OpenAI's clients read, with the platform's own fields beside it. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly retry_after?: string
  /** The other details of the body: the `feature` that is off, the `deadline` that was reached. */
  readonly details?: Readonly<Record<string, unknown>>
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
  const { retry_after } = details
  return {
    status: statusOf(code),
    code,
    message,
    details: rest,
    ...(retry_after === undefined ? {} : { retry_after: String(Math.max(1, Math.ceil(retry_after))) }),
  }
}

export function refusalBody({ status, code, message, details = {} }: Refusal): object {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  return { error: { ...details, message, type, code, param: null }, ...details, message, status, code }
}

export function refusalResponse(refusal: Refusal): Response {
  const { status, retry_after } = refusal
  const headers = {
    ...(retry_after === undefined ? {} : { 'Retry-After': retry_after }),
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
  }
  return Response.json(refusalBody(refusal), { status, headers })
}
