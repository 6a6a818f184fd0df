/** Sends one request to the API as the caller. `path` begins with `/v1/` and carries the query. */
export type SendRequest = (
  path: string,
  request: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    readonly signal: AbortSignal
  },
) => Promise<Response>

export interface CallResult {
  readonly status: number
  readonly request_id?: string
  /** The start of the next page, for the query's `cursor`. */
  readonly next_cursor?: string
  readonly body: unknown
  /** True when the body is only the beginning of the answer. */
  readonly truncated?: true
}

/** The most of an answer that reaches the model. */
export const maxBytes = 48 * 1024

export async function callApi(
  send: SendRequest,
  call: { readonly method: string; readonly path: string; readonly body?: unknown },
  signal: AbortSignal,
): Promise<CallResult> {
  const { method, path, body } = call
  const response = await send(path, {
    method,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  })
  const { text, truncated } = await beginning(response)
  const request_id = response.headers.get('X-Request-Id')
  const next_cursor = response.headers.get('X-Next-Cursor')
  return {
    status: response.status,
    ...(request_id === null ? {} : { request_id }),
    ...(next_cursor === null ? {} : { next_cursor }),
    body: truncated ? text : dataOf(text),
    ...(truncated ? { truncated } : {}),
  }
}

/** Reads no more than the bound, whatever the answer's size. */
async function beginning(response: Response): Promise<{ text: string; truncated: boolean }> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    bytes += value.byteLength
    if (bytes > maxBytes) await reader.cancel()
  }
  const all = Buffer.concat(chunks)
  return { text: all.subarray(0, maxBytes).toString('utf8'), truncated: bytes > maxBytes }
}

function dataOf(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
