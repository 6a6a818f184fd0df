import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, expect } from 'vitest'
import { WebSocket } from 'ws'
import { fakeDaemon, type RunningSession, runSession } from '../support/sandbox.ts'
import { openWorld } from '../support/world.ts'

/** Echoes its request, and sets the headers that a hostile program would. */
const program: RequestListener = (req, res) => {
  if (req.url?.startsWith('/proxy/3000/events')) {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    return void res.write('data: first\n\n')
  }
  res.writeHead(200, {
    'content-type': 'text/html',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
    'clear-site-data': '"cookies"',
    'set-cookie': ['theirs=1', 'svc_preview=TOSSED; Path=/', 'svc_oauth=TOSSED; Domain=localhost'],
  })
  req.pipe(res)
}

export interface PreviewRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A running session with a program on its port 3000, and the hosts at which previews show it, for one test file. */
export async function openPreviews() {
  const { platform, api } = await openWorld()
  const daemon = await fakeDaemon(program, 'tcp')
  afterAll(() => daemon.close())
  const session = await runSession(platform, daemon)

  /** Opens an address as a browser whose names below `localhost` all lead here. */
  async function open(
    host: string,
    path: string,
    { method = 'GET', headers = {}, body }: PreviewRequest = {},
    port = api.port,
  ) {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, host } })
    outgoing.end(body)
    const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
    if (!incoming) throw new Error('no answer')
    return incoming
  }

  async function ask(
    host: string,
    path: string,
    sent: PreviewRequest = {},
    port = api.port,
  ): Promise<Answer> {
    const incoming = await open(host, path, sent, port)
    const { statusCode: status = 0, headers } = incoming
    return { status, headers, text: await text(incoming) }
  }

  async function ticketFor(token = platform.owner.token, of = session) {
    const answer = await platform.call(
      `/v1/projects/${of.project_id}/sessions/${of.session_id}/preview-tickets`,
      { method: 'POST', token, json: { port: 3000 } },
    )
    expect(answer.status, answer.text).toBe(201)
    const url = new URL(answer.pick('url'))
    return { host: url.host, path: url.pathname + url.search, ticket: url.searchParams.get('ticket') ?? '' }
  }

  return {
    platform,
    daemon,
    session,
    open,
    ask,
    ticketFor,
    /** A preview that a browser has opened. */
    async opened(token?: string, of?: RunningSession) {
      const { host, path } = await ticketFor(token, of)
      const { headers } = await ask(host, path)
      const [line = ''] = headers['set-cookie'] ?? []
      const cookie = line.split(';')[0] ?? ''
      const look = (at = '/', { headers: more = {}, ...sent }: PreviewRequest = {}) =>
        ask(host, at, { ...sent, headers: { cookie, ...more } })
      return { host, cookie, look }
    },
    /** The request that the daemon got last. */
    last(): IncomingMessage {
      const found = daemon.requests.at(-1)
      if (!found) throw new Error('the daemon was not asked')
      return found
    },
    socketTo(host: string, headers: Record<string, string>, path = '/socket?a=1') {
      const socket = new WebSocket(`ws://127.0.0.1:${api.port}${path}`, { headers: { host, ...headers } })
      socket.on('error', () => undefined)
      return socket
    },
  }
}
