import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../../src/index.ts'
import { trustedProxies } from '@svc/platform/env'
import { sharedRateLimit } from '../../src/door/shared-rate-limit.ts'
import { type TestPlatform, testPlatform } from '../support/platform.ts'

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
  expect(message).toContain(`try again in ${retry_after_seconds} s`)
  expect(rest).toEqual({ error: 'rate_limit_exceeded' })
  expect(refused.headers.get('retry-after')).toBe(String(retry_after_seconds))
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
  const stranger = await platform.stranger()
  expect(await platform.call('/v1/accounts/me', { token: stranger.token })).toMatchObject({ status: 200 })
})

test('an address is counted before anybody asks who it is, and is the client’s own behind a proxy', async () => {
  for (let n = 0; n < 5; n++) expect((await from('192.0.2.1', '/v1/projects')).status).toBe(401)
  expect((await from('192.0.2.1', '/v1/projects')).status).toBe(429)
  // A header that the client writes itself changes nothing.
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
