export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
}

export interface RequestInput {
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
}

/** One raw request, such as no client of ours would send; of a stream of events, its first part. */
export async function request(
  origin: string,
  operation: string,
  { token, headers = {}, json, raw }: RequestInput = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = operation.split(' ')
  const body = json === undefined ? raw : JSON.stringify(json)
  const response = await fetch(`${origin}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined || token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await (isStream(response) ? firstOf(response) : response.text())
  return { status: response.status, headers: response.headers, text, body: objectOf(text) }
}

const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true

/** A stream of events has no end: its first part stands for it. */
async function firstOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}
