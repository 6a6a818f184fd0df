import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardedFetch } from './guarded-fetch.ts'
import { RefusedTarget } from './target.ts'

const asked: string[] = []
const server = createServer((req, res) => {
  asked.push(`${req.method} ${req.url} ${req.headers.host}`)
  if (req.url === '/long') return void res.end('x'.repeat(1024 * 1024 + 1))
  if (req.url === '/other')
    return void req.socket.write('HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
  if (req.url === '/away') return void res.writeHead(302, { location: '/' }).end()
  req.pipe(res.setHeader('x-type', req.headers['content-type'] ?? ''))
})
let port = 0
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = Object(server.address()).port
})
afterAll(() => server.close())

const get = { method: 'GET', headers: {} }
const answers =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses)

test.each([
  ['a private address', 'https://id.example', ['10.0.0.1']],
  ['one private address among public ones', 'https://id.example', ['8.8.8.8', '169.254.169.254']],
  ['a mapped address', 'https://id.example', ['::ffff:127.0.0.1']],
  ['no address', 'https://id.example', []],
  ['a range that is not the allowed one', 'https://id.example', ['10.1.0.1']],
  ['a public address without TLS', 'http://id.example', ['8.8.8.8']],
  ['an allowed address without TLS', 'http://id.example', ['10.2.0.1']],
])('%s is not asked', async (_, url, addresses) => {
  const fetch = guardedFetch({ open: [], private: ['10.2.0.0/16'] }, answers(...addresses))
  await expect(fetch(url, get)).rejects.toThrow(RefusedTarget)
})

test.each([
  'https://127.0.0.1',
  'https://[::1]',
  'https://0x7f.1',
  'https://2130706433',
  'http://[::ffff:7f00:1]',
])('%s is refused without a name server', async (url) => {
  const never = () => Promise.reject(new Error('asked'))
  await expect(guardedFetch({ open: [] }, never)(url, get)).rejects.toThrow(RefusedTarget)
})

test('the connection goes to what was looked up, under the name that was asked for', async () => {
  const fetch = guardedFetch({ open: [], private: ['127.0.0.0/8'] }, answers('127.0.0.1'))
  const body = new URLSearchParams({ code: 'x y' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(`http://id.example:${port}/token?a=b`, { ...get, method: 'POST', headers, body })
  expect([answer.status, await answer.text()]).toEqual([200, 'code=x+y'])
  expect(answer.headers.get('x-type')).toBe(headers['content-type'])
  expect(asked).toContain(`POST /token?a=b id.example:${port}`)
})

test('a redirect is an answer, and one without an end is none', async () => {
  const fetch = guardedFetch({ open: ['127.0.0.0/8'] })
  const away = await fetch(`http://127.0.0.1:${port}/away`, get)
  expect([away.status, away.headers.get('location')]).toEqual([302, '/'])
  await expect(fetch(`http://127.0.0.1:${port}/long`, get)).rejects.toThrow('too long')
})

test('an answer in another protocol is an error, and not waited for', async () => {
  const fetch = guardedFetch({ open: [], private: ['127.0.0.0/8'] }, answers('127.0.0.1'))
  await expect(fetch(`http://id.example:${port}/other`, get)).rejects.toThrow('changed unasked')
})
