import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { trustedProxies } from '@svc/platform/env'
import { type Caller, type TestPlatform, testPlatform } from '../support/platform.ts'
import { type ServedApi, serve } from '../support/serve.ts'

const per_address = 3
const per_token = 2
let served: ServedApi
let directory = ''
let doors: readonly Door[] = []

interface Door {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly token: () => string
  readonly basic?: true
  /** Its own limit on an address, where it has one. */
  readonly max?: number
  /** The media type and body of a refusal. */
  readonly type: RegExp
  readonly refusal: RegExp
}

const platforms = { type: /^application\/json/, refusal: /^\{"error":true,"message":"[^"]+","status":\d+/ }
const ofOAuth = { type: /^application\/json/, refusal: /^\{"error":"[a-z_]+","error_description":"[^"]+"/ }

let roomy: TestPlatform

beforeAll(async () => {
  roomy = await testPlatform()
  const { owner, call } = roomy
  const account_id = (await call('/v1/accounts/me', { token: owner.token })).pick('account_id')
  const minted = await call(`/v1/accounts/${account_id}/scim-tokens`, {
    ...{ method: 'POST', token: owner.token, json: { name: 'directory' } },
  })
  directory = minted.pick('token')
  served = await serve({
    parts: {
      ...roomy.parts,
      rate_limits: { per_address, per_token },
      is_proxy: trustedProxies(['127.0.0.1']),
    },
  })
  const [one, two, three, four, five] = await Promise.all([1, 2, 3, 4, 5].map(() => roomy.stranger()))
  const of = (person: Caller | undefined) => () => person?.token ?? ''
  const none = () => ''
  const project_id = randomUUID()
  doors = [
    { name: 'REST', method: 'GET', path: '/v1/accounts/me', token: of(one), ...platforms },
    {
      name: 'git',
      method: 'GET',
      path: `/v1/git/${project_id}.git/info/refs?service=git-upload-pack`,
      token: of(two),
      basic: true,
      type: /^text\/plain/,
      refusal: /^This needs a token: .+\n$/,
    },
    { name: 'the sandbox proxy', method: 'GET', path: '/v1/p/none/3000/', token: of(three), ...platforms },
    {
      name: 'a paired computer',
      method: 'GET',
      path: `/v1/projects/${project_id}/connectors/computer/connections/${project_id}/computer`,
      token: of(five),
      ...platforms,
    },
    { name: 'MCP', method: 'POST', path: '/v1/mcp', token: of(four), ...platforms },
    {
      name: 'SCIM',
      method: 'GET',
      path: `/scim/v2/accounts/${account_id}/Users`,
      token: () => directory,
      type: /^application\/scim\+json/,
      refusal: /^\{"schemas":/,
    },
    {
      name: 'webhooks',
      method: 'POST',
      path: `/v1/webhooks/projects/${project_id}/none`,
      token: none,
      ...platforms,
    },
    {
      name: 'OAuth',
      method: 'GET',
      path: '/v1/oauth/authorize',
      token: none,
      type: /^text\/html/,
      refusal: /<h1>/,
    },
    { name: 'the token endpoint', method: 'POST', path: '/v1/oauth/token', token: none, ...ofOAuth },
    {
      name: 'the sign-in',
      method: 'POST',
      path: '/v1/auth/sign-in/password',
      token: none,
      max: 30,
      ...ofOAuth,
    },
    {
      name: 'the code of a device',
      method: 'POST',
      path: '/v1/auth/device',
      token: none,
      max: 30,
      ...ofOAuth,
    },
    { name: 'a registration', method: 'POST', path: '/v1/oauth/register', token: none, max: 30, ...ofOAuth },
  ]
})
afterAll(async () => {
  await served?.close()
  await roomy?.close()
})

const ask = async ({ method, path, basic }: Door, address: string, token: string, id?: string) => {
  const credential = basic ? `Basic ${btoa(`x:${token}`)}` : `Bearer ${token}`
  const headers = {
    'x-forwarded-for': address,
    ...(token === '' ? {} : { authorization: credential }),
    ...(id === undefined ? {} : { 'x-request-id': id }),
  }
  const answer = await fetch(served.origin + path, { method, headers, redirect: 'manual' })
  const text = await answer.text()
  return {
    text,
    status: answer.status,
    retry: Number(answer.headers.get('retry-after')),
    headers: answer.headers,
  }
}

test('counts addresses', async () => {
  for (const [index, door] of doors.entries()) {
    const { max = per_address, name } = door
    const address = `203.0.113.${index + 1}`
    for (let n = 0; n < max; n++) expect((await ask(door, address, '')).status, name).not.toBe(429)
    const refused = await ask(door, address, '')
    expect(refused.status, name).toBe(429)
    expect(refused.retry, name).toBeGreaterThan(0)
    expect((await ask(door, `203.0.113.${100 + index}`, '')).status, name).not.toBe(429)
  }
})

test('counts tokens', async () => {
  const counted = doors.filter(({ token }) => token() !== '')
  expect(counted.map(({ name }) => name)).toEqual([
    ...['REST', 'git', 'the sandbox proxy', 'a paired computer', 'MCP', 'SCIM'],
  ])
  let address = 0
  for (const door of counted) {
    const go = () => ask(door, `192.0.2.${100 + address++}`, door.token())
    for (let n = 0; n < per_token; n++) expect((await go()).status, door.name).not.toBe(429)
    const refused = await go()
    expect(refused.status, door.name).toBe(429)
    expect(refused.headers.get('x-ratelimit-limit'), door.name).toBe(String(per_token))
    expect(refused.headers.get('retry-after'), door.name).toBe(refused.headers.get('x-ratelimit-reset'))
  }
})

test('names each request in its answer and in one line of the log, without its query', async () => {
  for (const [index, door] of doors.entries()) {
    const id = `door-${index}`
    const { status, headers } = await ask(door, `198.51.100.${index + 1}`, '', id)
    expect(headers.get('x-request-id'), door.name).toBe(id)
    const lines = await vi.waitUntil(() => {
      const found = roomy.lines.filter((line) => line.includes(`"${id}"`) && line.includes('"msg":"request"'))
      return found.length > 0 && found
    })
    expect(lines, door.name).toHaveLength(1)
    const { path, method } = door
    const own = { request_id: id, method, path: path.split('?')[0], status, duration_ms: expect.any(Number) }
    expect(JSON.parse(lines[0] ?? ''), door.name).toMatchObject(own)
  }
})

test('refuses in the words of its protocol, and names the time to wait', async () => {
  for (const [index, door] of doors.entries()) {
    const refused = await ask(door, `198.51.100.${100 + index}`, '')
    expect(refused.status, door.name).toBeGreaterThanOrEqual(400)
    expect(refused.headers.get('content-type'), door.name).toMatch(door.type)
    expect(refused.text, door.name).toMatch(door.refusal)
    const asks = refused.status === 401 && door.token() !== ''
    if (asks)
      expect(refused.headers.get('www-authenticate'), door.name).toMatch(door.basic ? /^Basic / : /^Bearer/)
  }
})
