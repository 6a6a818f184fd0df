import type { Refusal } from '../kit/refusal.ts'

const states: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
}

/** The `error` that Google's clients read: its `code` is the status, ours is the `reason` of its details. */
export function contentError({ status, code, message, details = {} }: Refusal): Record<string, unknown> {
  const state = states[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT')
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'svc' }
  return { ...details, code: status, message, status: state, details: [info] }
}

/** The shape that Google's clients read, with the platform's fields beside. */
export function contentRefusal(refusal: Refusal, request_id: string): Record<string, unknown> {
  const { status, code, message, details = {} } = refusal
  return { ...details, error: contentError(refusal), message, status, code, request_id }
}
