import { answerLimits } from './limits.ts'
import { UpstreamRefusal, type Wire, type WireRequest } from './shapes.ts'
import { wireFailure } from './wire-failure.ts'

/** `fetch`, as far as libraries of protocols use it. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>

/** The request that a call of `fetch` stands for, with the names of its headers in lower case. */
export async function wireRequest(url: string | URL, init: RequestInit = {}): Promise<WireRequest> {
  const { method = 'GET', body } = init
  if (body === undefined || body === null || typeof body === 'string') return plainRequest(url, init, body)
  // The type of forms, as `fetch` itself would name it.
  const typed = new Request('http://body.invalid', { method: 'POST', body })
  const headers = new Headers(init.headers)
  const type = typed.headers.get('content-type')
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type)
  const bytes = new Uint8Array(await typed.arrayBuffer())
  return { method, url: new URL(url), headers: Object.fromEntries(headers), body: bytes }
}

/** Without the work of a body that has to be read: most are a text. */
function plainRequest(
  url: string | URL,
  { method = 'GET', headers: given }: RequestInit,
  text: string | null | undefined,
): WireRequest {
  const headers = Object.fromEntries(new Headers(given))
  const request = { method, url: new URL(url) }
  if (text === null || text === undefined) return { ...request, headers, body: null }
  return {
    ...request,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
    body: new TextEncoder().encode(text),
  }
}

/** Answers that lead elsewhere are refused: an address that was checked is the one that is asked. */
export async function refuseRedirect(response: Response, url: URL): Promise<Response> {
  if (response.status < 300 || response.status > 399 || response.status === 304) return response
  await response.body?.cancel()
  throw new UpstreamRefusal(
    'redirect_refused',
    `${url.origin} answered with a redirect, and none is followed; name the address that it leads to`,
  )
}

/** `fetch` through the wire. Throws `UpstreamRefusal` for what the wire throws, and for redirects. */
export function fetchOver(wire: Wire, signal: AbortSignal): FetchLike {
  return async (url, init) => {
    const request = await wireRequest(url, init)
    const signals = [signal, ...(init?.signal ? [init.signal] : [])]
    const response = await wire(request, AbortSignal.any(signals)).catch((error: unknown) => {
      const { reason, message } = wireFailure(error)
      throw new UpstreamRefusal(reason, `${request.url.origin}: ${message}`)
    })
    return watchBody(await refuseRedirect(response, request.url), () => answerLimits.read_bytes)
  }
}

interface BodyWatcher {
  readonly onBytes?: (count: number) => void
  /** Called once, with the error that ended it early. */
  readonly onEnd?: (error?: unknown) => void
}

/** The same answer, whose body ends in `response_too_large` after so many bytes. */
export function watchBody(response: Response, maxBytes: () => number, watcher: BodyWatcher = {}): Response {
  const { status, statusText, headers } = response
  if (response.body === null) {
    watcher.onEnd?.()
    return response
  }
  const reader = response.body.getReader()
  let size = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          controller.close()
          watcher.onEnd?.()
          return
        }
        size += value.length
        watcher.onBytes?.(value.length)
        if (size > maxBytes()) throw tooLarge()
        controller.enqueue(value)
      } catch (error) {
        controller.error(error)
        watcher.onEnd?.(error)
        reader.cancel(error).catch(() => {})
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, { status, statusText, headers })
}

export function tooLarge(): UpstreamRefusal {
  return new UpstreamRefusal(
    'response_too_large',
    'The service sends more than 8 MiB; ask for less, by a filter or a page',
  )
}
