import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformOnly } from '../../../network/egress.ts'
import { createRegistry, type Registry } from './registry.ts'
import { registryRequests } from './registry-request.ts'

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
const config = JSON.stringify({ config: { Entrypoint: ['/app'], Env: ['A=1'], User: '1234' } })
const manifest = JSON.stringify({
  config: { digest: digestOf(config), size: 10 },
  layers: [{ size: 100 }, { size: 1_000 }],
})
const architecture = process.arch === 'x64' ? 'amd64' : process.arch
const index = JSON.stringify({
  manifests: [
    { digest: digestOf('another'), platform: { os: 'linux', architecture: 's390x' } },
    { digest: digestOf(manifest), platform: { os: 'linux', architecture } },
  ],
})
const blobs: Record<string, string> = {
  '/v2/team/site/manifests/1': index,
  [`/v2/team/site/manifests/${digestOf(index)}`]: index,
  [`/v2/team/site/manifests/${digestOf(manifest)}`]: manifest,
  '/elsewhere': config,
  [`/v2/team/site/manifests/sha256:${'0'.repeat(64)}`]: 'something else',
}
let server: Server
let host: string
let registry: Registry
let asked: { path: string; authorization: string | undefined }[]

beforeAll(async () => {
  server = createServer(({ url = '', headers: { authorization } }, response) => {
    asked.push({ path: url, authorization })
    if (url.startsWith('/token')) return response.end(JSON.stringify({ token: `for ${authorization}` }))
    if (url === `/v2/team/site/blobs/${digestOf(config)}`)
      return response.writeHead(307, { location: '/elsewhere' }).end()
    if (url.includes('/endless/')) {
      const more = () => response.write(Buffer.alloc(64 * 1024), () => response.destroyed || more())
      return void more()
    }
    if (url !== '/elsewhere' && authorization?.startsWith('Bearer ') !== true)
      return response
        .writeHead(401, {
          'www-authenticate': `Bearer realm="http://${host}/token",service="s",scope="pull"`,
        })
        .end()
    return response.writeHead(blobs[url] === undefined ? 404 : 200).end(blobs[url])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const own = new URL(`http://${host}/apps`)
  registry = createRegistry({
    ...{ own, ask: registryRequests(platformOnly, own) },
    login: async () => 'me:secret',
  })
  asked = []
})
afterAll(() => server.close())

const forever = new AbortController().signal

test('an image is read by its name and pinned, for this machine’s architecture', async () => {
  const found = await registry(`${host}/team/site:1`, forever)
  expect(found).toEqual({
    name: `${host}/team/site@${digestOf(index)}`,
    digest: digestOf(index),
    bytes: 1_110,
    config: { Entrypoint: ['/app'], Env: ['A=1'], User: '1234' },
  })
  expect(await registry(found.name, forever)).toEqual(found)
})

test('the login goes to the place of tokens alone, and nothing of it to where blobs are kept', async () => {
  asked = []
  await registry(`${host}/team/site:1`, forever)
  const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`
  for (const { path, authorization } of asked)
    if (path.startsWith('/token'))
      expect([path, authorization]).toEqual(['/token?service=s&scope=pull', basic])
    else expect(authorization).not.toBe(basic)
  expect(asked.find(({ path }) => path === '/elsewhere')?.authorization).toBeUndefined()
})

test.each([
  ['team/none:1', /has no image .*; push it, or correct its name/],
  [`team/site@sha256:${'0'.repeat(64)}`, /gave something else than/],
])('%s is refused in words', async (name, words) => {
  await expect(registry(`${host}/${name}`, forever)).rejects.toThrow(words)
})

test('no other private address is asked', async () => {
  await expect(registry('127.0.0.1:1/team/site:1', forever)).rejects.toThrow(
    'The registry 127.0.0.1:1 cannot be asked: it is at an address that is closed to sandboxes.',
  )
})

test('a registry whose answer has no end is not read to its end', async () => {
  await expect(registry(`${host}/team/endless:1`, forever)).rejects.toThrow('its answer is too long')
})
