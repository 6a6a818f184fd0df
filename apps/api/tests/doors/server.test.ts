import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createConnection } from 'node:net'
import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { platform, api } = await openWorld()

/** Writes the chunks one by one, so that the body has no length that is known before. */
async function send(path: string, chunks: readonly string[], headers: Record<string, string> = {}) {
  const outgoing = request(api.origin + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${platform.owner.token}`,
      'content-type': 'application/json',
      ...headers,
    },
  })
  outgoing.on('error', () => undefined)
  for (const chunk of chunks) outgoing.write(chunk)
  outgoing.end()
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  if (!incoming) throw new Error('no response')
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) text += String(chunk)
  const body: unknown = JSON.parse(text)
  return { status: incoming.statusCode, headers: incoming.headers, body }
}

test('a body that comes in chunks is read whole', async () => {
  const answer = await send('/v1/accounts/tokens', ['{"na', 'me":"chu', 'nks"}'])
  expect(answer).toMatchObject({ status: 201, body: { name: 'chunks' } })
  expect(answer.headers['x-request-id']).toBeTruthy()
})

test('chunks beyond the limit are 413', async () => {
  const chunks = Array.from({ length: 5 }, () => 'x'.repeat(1024 * 1024))
  expect(await send('/v1/accounts/tokens', chunks)).toMatchObject({
    status: 413,
    body: { code: 'payload_too_large' },
  })
})

test.each([
  ['refused', 'POST /v1/accounts/tokens', 401],
  ['not understood', 'POST /v1/webhooks/projects/x/y', 400],
  ['not asked for', 'GET /v1/health', 200],
])('a body that is %s and drips on does not keep the connection', async (_, line, status) => {
  const socket = createConnection(api.port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const drip = setInterval(() => socket.write('1\r\nx\r\n'), 100)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  await once(socket, 'close')
  clearInterval(drip)
})

test('an optional body of length 0 is no body', async () => {
  const project = await send('/v1/projects/provision', ['{"name":"x"}'])
  expect(project).toMatchObject({ status: 201 })
  const project_id = (await platform.call('/v1/projects', { token: platform.owner.token })).pick(
    '0.project_id',
  )
  const path = `/v1/projects/${project_id}/cli-token`
  expect(await send(path, [], { 'content-length': '0' })).toMatchObject({ status: 201 })
  expect(await send(path, [], { 'transfer-encoding': 'chunked' })).toMatchObject({ status: 201 })
})

test('HEAD answers as GET does, without a body', async () => {
  const response = await fetch(`${api.origin}/v1/health`, { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test('a client that leaves is no defect', async () => {
  platform.lines.length = 0
  const path = `/v1/projects`
  const outgoing = request(api.origin + path, {
    headers: { authorization: `Bearer ${platform.owner.token}` },
  })
  outgoing.on('error', () => undefined).end()
  await once(outgoing, 'finish')
  outgoing.destroy()
  await fetch(`${api.origin}/v1/health`)
  expect(platform.lines.join('')).not.toContain('a request failed')
})
