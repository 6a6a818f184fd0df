import { type FetchLike, refuseRedirect, watchBody, wireRequest } from '../../fetch-over.ts'
import { answerLimits } from '../../limits.ts'
import type { Target, WireRequest } from '../../shapes.ts'
import type { ActiveCall } from './active-call.ts'
import type { McpOptions, McpSession } from './session.ts'

/** Long enough for the SDK to hand on what a stream ended with. */
const handedOnMs = 1_000

/** The `fetch` of a session's transport: over the wire, signed, and with the call of a tool told apart from the rest. */
export function sessionFetch(session: McpSession, { wire, sign }: McpOptions): FetchLike {
  return async (url, init = {}) => {
    const call = callOf(session, init)
    const plain = await wireRequest(url, init)
    const headers = { ...lowerCased(session.target.connector.headers), ...plain.headers }
    const isStream = plain.method === 'GET'
    const open = isStream ? { stays_open: true } : {}
    const signed = await sign(session.target, { ...plain, ...open, headers })
    const request = withToken(session.target, signed)
    const signals = [init.signal, call?.signal].filter((signal) => signal !== undefined && signal !== null)
    if (call !== undefined) {
      // Once for a call that is made again in a new session: the first was refused unseen.
      if (!call.sent)
        await call.beforeSend().catch((error: unknown) => {
          call.refused = { error }
          throw error
        })
      call.sent = true
      call.bytes_out = request.body?.length ?? 0
    }
    if (call === undefined && !isStream) session.last_status = null
    const answered = await wire(request, AbortSignal.any(signals))
    if (call !== undefined) call.status = answered.status
    else if (!isStream) session.last_status = answered.status
    const response = await refuseRedirect(answered, request.url)
    if (call !== undefined) return callBody(response, call)
    return isStream ? streamBody(response, session) : watchBody(response, () => answerLimits.read_bytes)
  }
}

function callBody(response: Response, call: ActiveCall): Response {
  return watchBody(response, () => answerLimits.read_bytes, {
    onBytes: (count) => (call.bytes_in += count),
    onEnd: (error) => {
      // The old transport answers on its stream, and here only takes note.
      if (response.status === 202) return
      if (error !== undefined && !call.resumable) call.fail(error)
      else if (!call.resumable)
        setTimeout(() => call.fail(new Error('the answer ended without a result')), handedOnMs).unref()
      else if (call.bytes_in > answerLimits.read_bytes) call.fail(error)
    },
  })
}

/** The stream beside the calls. The old transport has its answers on it, so that its end is theirs, and its size is since the last call began. */
function streamBody(response: Response, session: McpSession): Response {
  const isSse = session.target.connector.provider === 'mcp' && session.target.connector.transport === 'sse'
  let size = 0
  const max = () => {
    const sizes = [...session.active].map(({ bytes_in }) => bytes_in)
    return size - Math.max(0, ...sizes) + answerLimits.read_bytes
  }
  return watchBody(response, max, {
    onBytes: (count) => {
      size += count
      if (isSse) for (const call of session.active) call.bytes_in += count
    },
    onEnd: (error) => {
      if (!isSse) return
      for (const call of session.active) call.fail(error ?? new Error('the stream of the session ended'))
      void session.close()
    },
  })
}

/** The call of a tool that a request asks for. */
function callOf({ active }: McpSession, { method, body }: RequestInit): ActiveCall | undefined {
  if (method !== 'POST' || typeof body !== 'string') return undefined
  const { id, method: asked } = Object(JSON.parse(body))
  return asked === 'tools/call' ? [...active].find(({ message_id }) => message_id === id) : undefined
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function withToken({ credential }: Target, request: WireRequest): WireRequest {
  const token = credential?.['access_token']
  if (token === undefined) return request
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }
}
