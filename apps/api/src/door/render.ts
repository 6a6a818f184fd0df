import { retryHeaders, type ServiceError, statusOf } from '@svc/errors'
import type { ServerResponse } from 'node:http'
import type { ApiParts } from '../parts.ts'
import type { Dialect } from './dialects.ts'
import { refusalOf } from './refusal.ts'

/** An answer in the words of its caller's protocol. */
export interface RenderedAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The one renderer of every thrown error; an error that is no refusal is for the log alone. */
export function rendered(error: unknown, dialect: Dialect, { log }: Pick<ApiParts, 'log'>): RenderedAnswer {
  const refusal = refusalOf(error)
  if (refusal === null) {
    log.error({ err: error }, 'a request failed')
    return { status: 500, headers: dialect.headers, text: dialect.defect }
  }
  if (refusal.cause !== undefined)
    log.warn({ err: refusal.cause, code: refusal.code }, 'a request was refused')
  return renderedRefusal(refusal, dialect)
}

export function renderedRefusal(refusal: ServiceError, dialect: Dialect): RenderedAnswer {
  const status = statusOf(refusal.code)
  const challenge =
    status === 401 && dialect.challenge !== null ? { 'www-authenticate': dialect.challenge } : {}
  const headers = { ...dialect.headers, ...retryHeaders(refusal), ...challenge }
  return { status, headers, text: dialect.refusal(refusal) }
}

export function write(res: ServerResponse, { status, headers, text }: RenderedAnswer): void {
  res.writeHead(status, headers).end(text)
}
