/** A refusal or failure as a caller is told of it. `details` are the platform's own fields, beside the dialect's. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** The shape that OpenAI's clients read, with the platform's fields beside. */
export function openAiRefusal({ status, code, message, details = {} }: Refusal): Record<string, unknown> {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  const param = details['field'] ?? null
  return { error: { ...details, message, type, code, param }, ...details, message, status, code }
}
