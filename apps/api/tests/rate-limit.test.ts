import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../src/index.ts'
import { trustedProxies } from '../src/middleware/client-address.ts'
import { sharedRateLimit } from '../src/rate-limit/shared.ts'
import { type Caller, type TestPlatform, testPlatform } from './support/platform.ts'
import { type ServedApi, serve } from './support/serve.ts'

let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform({
    rate_limits: { per_address: 5, per_token: 3 },
    is_proxy: trustedProxies(['10.0.0.1']),
  })
})
afterAll(() => platform.close())

/** A request as it comes over a socket from this address. */
function from(address: string, path: string, headers: Record<string, string> = {}, api = platform.api) {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: address })
  const incoming = new IncomingMessage(socket)
  Object.assign(incoming.headers, headers)
  return api.app.request(path, { headers }, { incoming })
}

test('limits of one name count together, whichever process asks', async () => {
  const options = { name: 'shared', points: 4 }
  const [one, two] = [
    sharedRateLimit(platform.parts.db, options),
    sharedRateLimit(platform.parts.db, options),
  ]
  const verdicts = await Promise.all([one('a'), two('a'), one('a'), two('a')])
  expect(verdicts.every(({ allowed }) => allowed)).toBe(true)
  expect(verdicts.map(({ remaining }) => remaining).sort()).toEqual([0, 1, 2, 3])
  for (const limit of [one, two, one]) {
    const refused = await limit('a')
    expect(refused).toMatchObject({ allowed: false, limit: 4, remaining: 0 })
    expect(refused.reset).toBeGreaterThan(0)
    expect(refused.reset).toBeLessThanOrEqual(60)
  }
  expect(await one('b')).toMatchObject({ allowed: true })
  expect(await one('x'.repeat(5000))).toMatchObject({ allowed: true })
})

test('a token over its limit is told how long to wait, and others are not', async () => {
  const { token } = platform.owner
  for (const remaining of ['2', '1', '0']) {
    const answer = await platform.call('/v1/accounts/me', { token })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ratelimit-limit')).toBe('3')
    expect(answer.headers.get('x-ratelimit-remaining')).toBe(remaining)
    expect(Number(answer.headers.get('x-ratelimit-reset'))).toBeGreaterThan(0)
  }
  const refused = await platform.call('/v1/accounts/me', { token })
  expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limit_exceeded' } })
  const { message, retry_after_seconds, ...rest } = Object(refused.body)
  expect(message).toContain(`wait ${retry_after_seconds} seconds`)
  expect(rest).toEqual({ error: 'rate_limit_exceeded' })
  expect(refused.headers.get('retry-after')).toBe(String(retry_after_seconds))
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
  const stranger = await platform.stranger()
  expect(await platform.call('/v1/accounts/me', { token: stranger.token })).toMatchObject({ status: 200 })
})

test('an address is counted before anybody asks who it is, and is the client’s own behind a proxy', async () => {
  for (let n = 0; n < 5; n++) expect((await from('192.0.2.1', '/v1/projects')).status).toBe(401)
  expect((await from('192.0.2.1', '/v1/projects')).status).toBe(429)
  // What a client writes into the header itself changes nothing.
  const forged = { 'x-forwarded-for': '198.51.100.7' }
  expect((await from('192.0.2.1', '/v1/projects', forged)).status).toBe(429)
  const behind = (client: string) => from('10.0.0.1', '/v1/projects', { 'x-forwarded-for': client })
  expect((await behind('192.0.2.1')).status).toBe(429)
  expect((await behind('192.0.2.2')).status).toBe(401)
})

test('several processes of the API on one database count together', async () => {
  // Nothing is shared but the rows, as between processes.
  const apis = [platform.api, createApi(platform.parts), createApi(platform.parts)]
  const statuses: number[] = []
  for (let n = 0; n < 6; n++)
    statuses.push((await from('192.0.2.33', '/v1/projects', {}, apis[n % apis.length])).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  // One that has counted none of these refuses too.
  expect((await from('192.0.2.33', '/v1/projects', {}, createApi(platform.parts))).status).toBe(429)
})

test('the sign-in has a limit and a body of its own', async () => {
  const ask = () => from('192.0.2.9', '/v1/auth/sign-in/password')
  for (let n = 0; n < 30; n++) expect((await ask()).headers.get('retry-after')).toBe(null)
  const refused = await ask()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect([...refused.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
  expect(await refused.json()).toEqual({
    error: 'over_request_rate_limit',
    error_description: expect.any(String),
  })
})

test('who comes without an address is refused where addresses are counted', async () => {
  for (const path of ['/v1/projects', '/v1/auth/sign-in/password', '/scim/v2/accounts/x/Users'])
    expect((await platform.api.app.request(path, { method: 'POST' })).status, path).toBe(400)
})

describe('every door', () => {
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
    readonly most?: number
  }

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
    const [one, two, three, four] = await Promise.all([1, 2, 3, 4].map(() => roomy.stranger()))
    const of = (person: Caller | undefined) => () => person?.token ?? ''
    const none = () => ''
    const project_id = randomUUID()
    doors = [
      { name: 'REST', method: 'GET', path: '/v1/accounts/me', token: of(one) },
      {
        name: 'git',
        method: 'GET',
        path: `/v1/git/${project_id}.git/info/refs?service=git-upload-pack`,
        token: of(two),
        basic: true,
      },
      { name: 'the sandbox proxy', method: 'GET', path: '/v1/p/none/3000/', token: of(three) },
      { name: 'MCP', method: 'POST', path: '/v1/mcp', token: of(four) },
      { name: 'SCIM', method: 'GET', path: `/scim/v2/accounts/${account_id}/Users`, token: () => directory },
      { name: 'webhooks', method: 'POST', path: `/v1/webhooks/projects/${project_id}/none`, token: none },
      { name: 'OAuth', method: 'GET', path: '/v1/oauth/authorize', token: none },
      { name: 'the token endpoint', method: 'POST', path: '/v1/oauth/token', token: none },
      { name: 'the sign-in', method: 'POST', path: '/v1/auth/sign-in/password', token: none, most: 30 },
      { name: 'the code of a device', method: 'POST', path: '/v1/auth/device', token: none, most: 30 },
      { name: 'a registration', method: 'POST', path: '/v1/oauth/register', token: none, most: 30 },
    ]
  })
  afterAll(async () => {
    await served?.close()
    await roomy?.close()
  })

  const ask = async ({ method, path, basic }: Door, address: string, token: string) => {
    const credential = basic ? `Basic ${btoa(`x:${token}`)}` : `Bearer ${token}`
    const headers = { 'x-forwarded-for': address, ...(token === '' ? {} : { authorization: credential }) }
    const answer = await fetch(served.origin + path, { method, headers, redirect: 'manual' })
    await answer.arrayBuffer()
    return {
      status: answer.status,
      retry: Number(answer.headers.get('retry-after')),
      headers: answer.headers,
    }
  }

  test('counts addresses', async () => {
    for (const [index, door] of doors.entries()) {
      const { most = per_address, name } = door
      const address = `203.0.113.${index + 1}`
      for (let n = 0; n < most; n++) expect((await ask(door, address, '')).status, name).not.toBe(429)
      const refused = await ask(door, address, '')
      expect(refused.status, name).toBe(429)
      expect(refused.retry, name).toBeGreaterThan(0)
      expect((await ask(door, `203.0.113.${100 + index}`, '')).status, name).not.toBe(429)
    }
  })

  test('counts tokens', async () => {
    const counted = doors.filter(({ token }) => token() !== '')
    expect(counted.map(({ name }) => name)).toEqual(['REST', 'git', 'the sandbox proxy', 'MCP', 'SCIM'])
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
})
