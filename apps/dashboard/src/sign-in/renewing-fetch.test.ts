import { beforeEach, expect, test } from 'vitest'
import type { Credential, Renewable } from './credential.ts'
import { renewingFetch } from './renewing-fetch.ts'

const hour = 3_600_000
const pair = (n: number): Renewable => ({
  kind: 'app',
  access_token: `access-${n}`,
  refresh_token: `refresh-${n}`,
  expires_at: n * hour,
  id: 'one',
})

let kept: Credential | null
/** The tokens that the platform takes. */
let valid: Set<string>
let now: number
let renewals: string[]
let asked: string[]
let renew: (old: Renewable) => Promise<Renewable | null>
let fetcher: ReturnType<typeof renewingFetch>

beforeEach(() => {
  kept = pair(1)
  valid = new Set(['access-1'])
  now = 0
  renewals = []
  asked = []
  renew = async (old) => {
    await Promise.resolve()
    const next = pair(Number(old.refresh_token.slice('refresh-'.length)) + 1)
    valid = new Set([next.access_token])
    return next
  }
  fetcher = renewingFetch({
    kept: () => kept,
    keep: (credential) => (kept = credential),
    renew: (old) => {
      renewals.push(old.refresh_token)
      return renew(old)
    },
    send: (_, { headers }) => {
      const token = (headers['authorization'] ?? '').replace('Bearer ', '')
      asked.push(token)
      return Promise.resolve(new Response('', { status: valid.has(token) ? 200 : 401 }))
    },
    now: () => now,
  })
})

const call = async () =>
  (await fetcher('/v1/projects', { method: 'GET', headers: {}, redirect: 'error' })).status

test('a token that holds is used as it is', async () => {
  expect(await call()).toBe(200)
  expect([asked, renewals]).toEqual([['access-1'], []])
})

test('one that ends within a minute is exchanged before', async () => {
  now = hour - 59_000
  expect(await call()).toBe(200)
  expect([asked, renewals, kept]).toEqual([['access-2'], ['refresh-1'], pair(2)])
})

test('one that is refused is exchanged once, for all that run at once', async () => {
  valid.clear()
  expect(await Promise.all(Array.from({ length: 5 }, call))).toEqual([200, 200, 200, 200, 200])
  expect(renewals).toEqual(['refresh-1'])
})

test('who finds it refused after others exchanged it uses theirs', async () => {
  valid.clear()
  await call()
  kept = pair(1)
  const late = call()
  kept = pair(2)
  expect(await late).toBe(200)
  expect(renewals).toEqual(['refresh-1'])
})

test('what is refused again stays refused', async () => {
  renew = () => Promise.resolve(pair(2))
  valid.clear()
  expect(await call()).toBe(401)
  expect(asked).toEqual(['access-1', 'access-2'])
})

test('an exchange that is refused is not tried again', async () => {
  valid.clear()
  now = 2 * hour
  renew = () => Promise.resolve(null)
  expect([await call(), await call()]).toEqual([401, 401])
  expect(renewals).toEqual(['refresh-1'])
})

test('while the platform is not reached, the old one is used, and the next call tries again', async () => {
  const works = renew
  renew = () => Promise.reject(new Error('offline'))
  now = hour - 1
  expect(await call()).toBe(200)
  valid.clear()
  await expect(call()).rejects.toThrow('offline')
  renew = works
  expect(await call()).toBe(200)
})

test('who signed out meanwhile stays signed out', async () => {
  valid.clear()
  const answer = call()
  const exchange = renew
  renew = async (old) => {
    kept = null
    return exchange(old)
  }
  await answer
  expect(kept).toBeNull()
})

test('a pasted token is never exchanged', async () => {
  kept = { kind: 'token', access_token: 'svc_pat_1' }
  expect(await call()).toBe(401)
  expect([asked, renewals]).toEqual([['svc_pat_1'], []])
})
