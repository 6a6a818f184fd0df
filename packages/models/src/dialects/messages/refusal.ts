import type { Refusal } from '../kit/refusal.ts'

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** The `error` that Anthropic's clients read. */
export function messageError({ status, code, message, details = {} }: Refusal): Record<string, unknown> {
  const type = types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
  return { ...details, type, message, code }
}

/** The shape that Anthropic's clients read, with the platform's fields beside. */
export function messageRefusal(refusal: Refusal, request_id: string): Record<string, unknown> {
  const { status, code, message, details = {} } = refusal
  return { ...details, type: 'error', error: messageError(refusal), message, status, code, request_id }
}
