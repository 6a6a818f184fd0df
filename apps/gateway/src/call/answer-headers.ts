import type { UpstreamAnswer } from './upstream-answer.ts'

/** The headers of every answer of a call. */
export function answerHeaders(
  { candidate, headers }: UpstreamAnswer,
  { request_id, call_id }: { readonly request_id: string; readonly call_id: string },
): Headers {
  const upstream_id = upstreamRequestId({ headers })
  const retry_after = headers.get('retry-after')
  const type = headers.get('content-type')
  const { name, fallback } = candidate
  // Said of a stream, so that the HTTP adapter does not wait for a second event before it sends the first.
  const isStream = type?.startsWith('text/event-stream') === true
  return new Headers({
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
    ...(isStream ? { 'Transfer-Encoding': 'chunked' } : {}),
    'X-Request-Id': request_id,
    'X-Svc-Call-Id': call_id,
    'X-Svc-Model': `${name.provider}/${name.id}`,
    ...(fallback === 0 ? {} : { 'X-Svc-Fallback': String(fallback) }),
    ...(upstream_id === null ? {} : { 'X-Upstream-Request-Id': upstream_id }),
    ...(retry_after === null ? {} : { 'Retry-After': retry_after }),
    ...(type === null ? {} : { 'Content-Type': type }),
  })
}

export function upstreamRequestId({ headers }: Pick<UpstreamAnswer, 'headers'>): string | null {
  return headers.get('request-id') ?? headers.get('x-request-id')
}
