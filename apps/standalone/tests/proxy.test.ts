import { once } from 'node:events'
import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { bash, startSession, write } from './support/agent.ts'
import { type Platform, startPlatform } from './support/platform.ts'
import { type Answer, request, type RequestInput } from './support/request.ts'

/** What an agent might build: pages, an echo of what it was asked, and a WebSocket that answers in capitals. */
const server = `
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
const server = createServer((req, res) => {
  if (req.url === '/stream') {
    res.write('first')
    req.on('close', () => console.log('left'))
    return
  }
  let body = ''
  req.on('data', (chunk) => (body += chunk))
  req.on('end', () => {
    res.writeHead(req.url.startsWith('/teapot') ? 418 : 200, { 'content-type': 'application/json', 'set-cookie': 'a=b' })
    res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body }))
  })
})
server.on('upgrade', (req, socket) => {
  const accept = createHash('sha1').update(req.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64')
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: ' + accept + '\\r\\n\\r\\n')
  socket.on('data', (frame) => {
    if ((frame[0] & 15) !== 1) return socket.end()
    const mask = frame.subarray(2, 6)
    const text = Buffer.from(frame.subarray(6, 6 + (frame[1] & 127)).map((byte, index) => byte ^ mask[index % 4])).toString()
    const answer = Buffer.from(text.toUpperCase() + ' ' + req.url)
    socket.write(Buffer.concat([Buffer.from([129, answer.length]), answer]))
  })
})
server.listen(3000, () => console.log('listening'))
`

let platform: Platform
let project: Project
let session: Session

beforeAll(async () => {
  platform = await startPlatform()
  project = await platform.client.projects.provision({ name: 'Preview' })
  const started = await startSession(platform.client, project.project_id, [
    write('server.mjs', server),
    bash(
      '(setsid node server.mjs > server.log 2>&1 &) ; until grep -q listening server.log; do sleep 0.1; done; echo up',
    ),
  ])
  expect(started.turn.outputs.at(-1)).toContain('up')
  session = await platform.client.projects.sessions.get(project.project_id, started.session.session_id)
})
afterAll(() => platform?.stop())

const ask = (operation: string, input: RequestInput = {}): Promise<Answer> => {
  const [method, path = ''] = operation.split(' ')
  return request(platform.origin, `${method} /v1/p/${session.external_id}/${path}`, {
    token: platform.token,
    ...input,
  })
}

test('a port that the agent opened answers through the platform', async () => {
  const answer = await ask('POST 3000/some/path?x&y=%20', {
    raw: 'a body',
    headers: { 'x-mine': 'kept', cookie: 'c=d' },
  })
  expect(answer.body).toMatchObject({
    method: 'POST',
    url: '/some/path?x&y=%20',
    body: 'a body',
    headers: { 'x-mine': 'kept' },
  })
  expect(await ask('GET 3000/teapot')).toMatchObject({ status: 418 })
  expect((await ask('GET 3000/')).body).toMatchObject({ url: '/' })
  expect((await ask('GET 3000')).body).toMatchObject({ url: '/' })
})

test('neither the token of the caller nor the platform’s own word for it reaches the program', async () => {
  const answer = await ask('GET 3000/?__svc_user_context=forged', {
    headers: { 'x-svc-user-context': 'forged' },
  })
  expect(answer.status).toBe(200)
  expect(answer.text).not.toContain(platform.token)
  expect(answer.text).not.toContain('forged')
  expect(answer.text).not.toContain('x-svc-user-context')
})

test('a streamed answer arrives as it is made, and leaving it closes it inside', async () => {
  const leaving = new AbortController()
  const response = await fetch(`${platform.origin}/v1/p/${session.external_id}/3000/stream`, {
    headers: { authorization: `Bearer ${platform.token}` },
    signal: leaving.signal,
  })
  const first = await response.body?.getReader().read()
  expect(new TextDecoder().decode(first?.value)).toBe('first')
  leaving.abort()
})

test('a WebSocket goes through, with its path and query', async () => {
  const url = `${platform.origin.replace('http', 'ws')}/v1/p/${session.external_id}/3000/live?room=1`
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${platform.token}` } })
  await once(socket, 'open')
  socket.send('hello')
  const [data]: unknown[] = await once(socket, 'message')
  expect(String(data)).toBe('HELLO /live?room=1')
  socket.close()

  const refused = new WebSocket(url)
  const [error]: unknown[] = await once(refused, 'error')
  expect(String(error)).toContain('401')
})

test.each([22, 4096])('port %i is never proxied', async (port) => {
  const answer = await ask(`GET ${port}/`)
  expect(answer, answer.text).toMatchObject({ status: 403 })
})

test.each([
  ['a port where nothing listens', '3999/', [502, 503]],
  ['port 0', '0/', [403, 404]],
  ['a port beyond the last', '65536/', [403, 404]],
  ['a port that is no number', 'x/', [404]],
  ['the daemon’s control routes', '8000/svc/env', [403, 404]],
  ['the daemon’s own proxy', '8000/proxy/22/', [403, 404]],
  ['a detour to them', '8000/svc/runtime/..%2f..%2fsvc/env', [400, 403, 404]],
  ['port 22 by a detour', '3000/..%2f..%2f22/', [200, 400, 404]],
] as const)('%s is refused', async (_, path, statuses) => {
  const answer = await ask(`GET ${path}`)
  expect(statuses, `${answer.status} ${answer.text}`).toContain(answer.status)
})

test('the runtime routes tell the state, the messages and the files', async () => {
  expect(await ask('GET 8000/svc/health')).toMatchObject({ status: 200 })
  const state = await ask('GET 8000/svc/runtime/state')
  expect(state, state.text).toMatchObject({ status: 200 })
  const messages = await ask('GET 8000/svc/runtime/messages?limit=1')
  expect(messages, messages.text).toMatchObject({ status: 200 })
  const file = await ask('GET 8000/svc/runtime/files/content?path=server.mjs')
  expect(file.text).toContain('createServer')
  for (const path of ['../../etc/passwd', '/etc/passwd', '..%2f..%2fetc%2fpasswd']) {
    const outside = await ask(`GET 8000/svc/runtime/files/content?path=${path}`)
    expect([400, 403, 404], outside.text).toContain(outside.status)
  }
})

test('the runtime’s event stream greets with its epoch', async () => {
  const response = await fetch(`${platform.origin}/v1/p/${session.external_id}/8000/svc/runtime/events`, {
    headers: { authorization: `Bearer ${platform.token}`, accept: 'text/event-stream' },
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body?.getReader()
  const chunk = await reader?.read()
  expect(new TextDecoder().decode(chunk?.value)).toContain('hello')
  await reader?.cancel()
})

test('a stopped session says so instead of hanging', async () => {
  await platform.client.projects.sessions.stop(project.project_id, session.session_id)
  expect(await ask('GET 3000/')).toMatchObject({ status: 409, body: { code: 'SESSION_NOT_RUNNING' } })
})
