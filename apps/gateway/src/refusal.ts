import { ServiceError, statusOf } from '@svc/errors'

/** A refusal in the shape that OpenAI's clients read, with the platform's own fields beside it. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly retry_after?: string
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

/** What an error tells the caller; null for a defect. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof GatewayRefusal) return error.refusal
  if (!(error instanceof ServiceError)) return null
  return { status: statusOf(error.code), code: error.code, message: error.message }
}

export function refusalResponse({ status, code, message, retry_after }: Refusal): Response {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  const headers = {
    ...(retry_after === undefined ? {} : { 'Retry-After': retry_after }),
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
  }
  return Response.json(
    { error: { message, type, code, param: null }, message, status, code },
    { status, headers },
  )
}
