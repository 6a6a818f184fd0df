import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainFetch } from '../../src/http/plain-fetch.ts'

let origin: string
const server = createServer((request, response) => {
  if (request.url === '/moved') return response.writeHead(307, { location: '/' }).end()
  if (request.url === '/silent') return
  void text(request).then((body) => {
    const { authorization = '' } = request.headers
    response.writeHead(request.url === '/no' ? 422 : 200, {
      'x-seen': authorization,
      'set-cookie': ['a', 'b'],
    })
    response.end(`${request.method} ${body} ✓`)
  })
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  origin = `http://127.0.0.1:${port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const send = (path: string, more: { body?: string; signal?: AbortSignal } = {}) =>
  plainFetch(origin + path, {
    method: 'POST',
    headers: { authorization: 'Bearer x' },
    redirect: 'error',
    ...more,
  })

it.each([
  ['/', 200, true],
  ['/no', 422, false],
])('%s answers with %i, its headers and its text', async (path, status, ok) => {
  const answer = await send(path, { body: 'häh' })
  expect({ status: answer.status, ok: answer.ok, url: answer.url }).toEqual({
    status,
    ok,
    url: origin + path,
  })
  expect([answer.headers.get('X-Seen'), answer.headers.get('set-cookie')]).toEqual(['Bearer x', 'a, b'])
  expect(answer.headers.get('absent')).toBeNull()
  expect(await answer.text()).toBe('POST häh ✓')
})

it('gives the body as a stream too', async () => {
  const { body } = await send('/')
  const parts: Uint8Array[] = []
  for await (const part of body ?? []) parts.push(part)
  expect(Buffer.concat(parts).toString()).toBe('POST  ✓')
})

it('follows no redirect', async () => {
  await expect(send('/moved')).rejects.toThrow('it redirects (307) to /')
})

it('ends when it is aborted, and when nobody is there', async () => {
  const leave = new AbortController()
  const waiting = send('/silent', { signal: leave.signal })
  leave.abort()
  await expect(waiting).rejects.toThrow('aborted')
  const nobody = plainFetch('http://127.0.0.1:1/', { method: 'GET', headers: {}, redirect: 'error' })
  await expect(nobody).rejects.toThrow('ECONNREFUSED')
})
