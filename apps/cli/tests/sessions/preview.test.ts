import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { confineDocument } from '@svc/contract/preview'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { buildCli } from '../support/built-cli.ts'
import { projectId, session, sessionId } from '../support/records.ts'

const cli = await buildCli()
let status = 'running'
const seen: string[] = []
/** The cookies that each WebSocket was opened with. */
const cookies: unknown[] = []
const token = 'svc_pat_a'

/** The platform as far as a preview needs it. */
const server = createServer((asked, response) => {
  seen.push(`${asked.url} ${asked.headers.authorization ?? ''}`)
  if (asked.url === `/v1/projects/${projectId}/sessions/${sessionId}`) {
    response.setHeader('content-type', 'application/json')
    return void response.end(JSON.stringify(session({ status, external_id: 'box-1' })))
  }
  if (asked.url === `/v1/projects/${projectId}/sessions/${sessionId}/preview-tickets`) {
    response.writeHead(201, { 'content-type': 'application/json' })
    return void json(asked).then((body) =>
      response.end(JSON.stringify({ url: `http://x/?ticket=${JSON.stringify(body)}`, expires_at: 'soon' })),
    )
  }
  if (asked.url?.endsWith('/events')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return void response.write('data: first\n\n')
  }
  const sent = asked.headers.cookie
  response.setHeader('set-cookie', ['theirs=1', 'svc_oauth=TOSSED; Path=/v1/oauth'])
  response.setHeader('content-security-policy', policies)
  if (sent !== undefined) response.setHeader('x-sent-cookie', sent)
  asked.pipe(response)
})
const headers: IncomingHttpHeaders = { 'content-security-policy': "img-src 'self'" }
confineDocument(headers)
const policies = headers['content-security-policy'] ?? ''
const sockets = new WebSocketServer({ server })
sockets.on('headers', (lines) => lines.push('Set-Cookie: svc_oauth=TOSSED', 'Set-Cookie: theirs=1'))
sockets.on('connection', (socket, request) => {
  seen.push(`${request.url} ${request.headers.authorization ?? ''}`)
  cookies.push(request.headers.cookie)
  socket.on('message', (data: Buffer) => socket.send(`echo ${data.toString()}`))
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const api = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
const env = () => ({ SVC_CLI_TOKEN: token, SVC_API_URL: api(), SVC_PROJECT_ID: projectId })
const preview = (...args: string[]) => cli.run(['sessions', 'preview', sessionId, ...args], { env: env() })

test('prints the address, by default of port 3000, and never the token', async () => {
  expect(await preview()).toMatchObject({ code: 0, stdout: `${api()}/p/box-1/3000/\n` })
  expect(await preview('5173')).toMatchObject({ code: 0, stdout: `${api()}/p/box-1/5173/\n` })
})

test('--link prints an address that needs no token, and no proxy is opened', async () => {
  expect(await preview('5173', '--link')).toMatchObject({
    code: 0,
    stdout: 'http://x/?ticket={"port":5173}\n',
  })
  expect(await preview('--link', '--open')).toMatchObject({ code: 2, stdout: '' })
})

test.each(['22', '4096', '8000', '0', '65536', 'http'])('port %s is refused', async (port) => {
  expect(await preview(port)).toMatchObject({ code: 2, stdout: '' })
})

test('a session that does not run has nothing to show, and what to do is said', async () => {
  status = 'stopped'
  const { code, stderr } = await preview()
  status = 'running'
  expect(code).toBe(1)
  expect(stderr).toContain('is stopped')
})

test('--open opens the browser on a proxy of this machine, through which everything goes', async () => {
  const browser = join(cli.folder, 'browser')
  const opened = join(cli.folder, 'opened.txt')
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`)
  await chmod(browser, 0o755)
  const { child, result } = cli.start(['sessions', 'preview', sessionId, '--open'], {
    env: { ...env(), BROWSER: browser },
  })
  try {
    const proxy = new URL(await firstLine(child))
    expect(proxy.href).toMatch(/^http:\/\/[0-9a-f]{32}\.localhost:\d+\/$/)

    const answer = await through(proxy, '/a/b?x=1', { method: 'POST', body: 'hello' })
    expect(answer).toMatchObject({ status: 200, text: 'hello' })
    expect(seen).toContain(`/v1/p/box-1/3000/a/b?x=1 Bearer ${token}`)

    const events = await open(proxy, '/events')
    expect(String((await once(events, 'data'))[0])).toBe('data: first\n\n')
    events.destroy()

    const cookie = 'svc_oauth=secret; theirs=1; __Host-svc_oauth.sig=secret'
    const socket = new WebSocket(`ws://127.0.0.1:${proxy.port}/socket`, {
      headers: { host: proxy.host, origin: proxy.origin, cookie },
    })
    const [upgraded]: IncomingMessage[] = await once(socket, 'upgrade')
    expect(upgraded?.headers['set-cookie']).toEqual(['theirs=1'])
    socket.send('ping')
    expect(String((await once(socket, 'message'))[0])).toBe('echo ping')
    socket.terminate()
    expect(seen).toContain(`/v1/p/box-1/3000/socket Bearer ${token}`)
    expect(cookies).toEqual(['theirs=1'])

    // The platform's cookies go neither way, and a document is again what its program means it to be.
    const document = await through(proxy, '/', { headers: { cookie } })
    expect(document.headers).toMatchObject({
      'x-sent-cookie': 'theirs=1',
      'set-cookie': ['theirs=1'],
      'content-security-policy': "img-src 'self'",
    })

    // A foreign page may have made its own name point here; other names of this machine are names of others.
    for (const name of ['evil.example', '127.0.0.1', 'localhost', 'other.localhost']) {
      const host = `${name}:${proxy.port}`
      expect(await through(proxy, '/', { headers: { host } }), host).toMatchObject({ status: 403 })
      expect(await refusedSocket(proxy, { host }), host).toBe(403)
    }

    const asked = seen.length
    const foreign = { origin: 'http://localhost:7830', 'sec-fetch-site': 'cross-site' }
    expect(await through(proxy, '/', { method: 'POST', headers: foreign })).toMatchObject({ status: 403 })
    expect(await refusedSocket(proxy, { host: proxy.host, origin: foreign.origin })).toBe(403)
    expect(seen).toHaveLength(asked)

    // A page that stays open does not keep the proxy open.
    const left = new WebSocket(`ws://127.0.0.1:${proxy.port}/left`, { headers: { host: proxy.host } })
    left.on('error', () => undefined)
    await once(left, 'open')

    await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(proxy.href)
  } finally {
    child.kill('SIGINT')
  }
  expect((await result).code).toBe(0)
})

interface ReceivedRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Browsers take every name below `localhost` for this machine; not every resolver does. */
async function open(
  proxy: URL,
  path: string,
  { method, headers, body }: ReceivedRequest = {},
): Promise<IncomingMessage> {
  const named = { host: proxy.host, ...headers }
  const outgoing = request({ host: '127.0.0.1', port: proxy.port, path, method, headers: named }).end(body)
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  if (!incoming) throw new Error('The proxy did not answer')
  return incoming
}

async function through(proxy: URL, path: string, asked: ReceivedRequest) {
  const incoming = await open(proxy, path, asked)
  return { status: incoming.statusCode, headers: incoming.headers, text: await text(incoming) }
}

async function refusedSocket(proxy: URL, headers: Record<string, string>): Promise<number | undefined> {
  const socket = new WebSocket(`ws://127.0.0.1:${proxy.port}/socket`, { headers })
  socket.on('error', () => undefined)
  const [, incoming]: [unknown, IncomingMessage] = await once(socket, 'unexpected-response').then(
    ([asked, answered]) => [asked, answered],
  )
  return incoming.statusCode
}

/** Only listens: another reader takes the stream to its end. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let read = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      read += chunk.toString()
      if (read.includes('\n')) resolve(read.split('\n')[0] ?? '')
    })
  })
}
