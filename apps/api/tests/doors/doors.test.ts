import { randomUUID } from 'node:crypto'
import { trustedProxies } from '@svc/platform/env'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { mint } from '../support/credentials.ts'
import { type Door, doorsOf, knock } from './all-doors.ts'
import { type TestPlatform, testPlatform } from '../support/platform.ts'
import { type ServedApi, serve } from '../support/serve.ts'

const per_address = 3
const per_token = 2
let served: ServedApi
let platform: TestPlatform
let account_id = ''
let doors: readonly Door[] = []

beforeAll(async () => {
  platform = await testPlatform()
  account_id = platform.owner.account_id
  doors = doorsOf(account_id)
  served = await serve({
    parts: {
      ...platform.parts,
      rate_limits: { per_address, per_token },
      is_proxy: trustedProxies(['127.0.0.1']),
    },
  })
})
afterAll(async () => {
  await served?.close()
  await platform?.close()
})

let addresses = 0
/** Each from an address of its own, unless one is given. */
const ask = (door: Door, given: { address?: string; token?: string; id?: string } = {}) =>
  knock(served.origin, door, { address: nextAddress(), ...given })
const nextAddress = () => `198.51.${100 + (++addresses >> 8)}.${addresses % 256}`

const credentialOf = async ({ credential }: Door, revoked_at: Date | null = null): Promise<string> => {
  const { db } = platform.parts
  const { user_id } = platform.owner
  const row = { user_id, ...(revoked_at === null ? {} : { revoked_at }) }
  const made =
    credential === 'scim'
      ? await mint(db, { ...row, kind: 'scim', account_id }, 'svc_scim_')
      : await mint(db, { ...row, kind: 'user' })
  return made.token
}
const counted = () => doors.filter(({ credential }) => credential !== null)

test('are all there', () => {
  const ways = doors.map(({ name, method, path, host }) => [name, `${method} ${host ?? ''}${path}`])
  expect(new Set(ways.flat()).size).toBe(2 * doors.length)
  const names = doors.map(({ name }) => name)
  for (const each of ['receiveWebhook', 'receiveChannelMessage', 'receivePayment', 'unsubscribeFromMail'])
    expect(names).toContain(each)
})

test('counts addresses', async () => {
  for (const door of doors) {
    const { max = per_address, name } = door
    const address = nextAddress()
    for (let n = 0; n < (max ?? per_address); n++)
      expect((await ask(door, { address })).status, name).not.toBe(429)
    const refused = await ask(door, { address })
    if (max === null) {
      expect(refused.status, name).not.toBe(429)
      continue
    }
    expect(refused.status, name).toBe(429)
    expect(Number(refused.headers['retry-after']), name).toBeGreaterThan(0)
    expect(refused.headers['content-type'], name).toMatch(door.type)
    expect(refused.text, name).toMatch(door.refusal)
    expect((await ask(door)).status, name).not.toBe(429)
  }
}, 60_000)

test('counts tokens', async () => {
  for (const door of counted()) {
    const token = await credentialOf(door)
    for (let n = 0; n < per_token; n++) expect((await ask(door, { token })).status, door.name).not.toBe(429)
    const refused = await ask(door, { token })
    expect(refused.status, door.name).toBe(429)
    expect(refused.headers['x-ratelimit-limit'], door.name).toBe(String(per_token))
    expect(refused.headers['retry-after'], door.name).toBe(refused.headers['x-ratelimit-reset'])
  }
})

test('names each request in its answer and in one line of the log, without its query', async () => {
  for (const door of doors) {
    const id = randomUUID()
    const { status, headers } = await ask(door, { id })
    expect(headers['x-request-id'], door.name).toBe(id)
    const lines = await vi.waitUntil(() => {
      const found = platform.lines.filter(
        (line) => line.includes(`"${id}"`) && line.includes('"msg":"request"'),
      )
      return found.length > 0 && found
    })
    expect(lines, door.name).toHaveLength(1)
    const { path, method } = door
    const own = { request_id: id, method, path: path.split('?')[0], status, duration_ms: expect.any(Number) }
    expect(JSON.parse(lines[0] ?? ''), door.name).toMatchObject(own)
  }
})

test('refuses who shows nothing, and say what it asks for', async () => {
  const answering: string[] = []
  for (const door of doors) {
    const refused = await ask(door)
    if (refused.status < 400) {
      answering.push(door.name)
      continue
    }
    expect(refused.headers['content-type'], door.name).toMatch(door.type)
    expect(refused.text, door.name).toMatch(door.refusal)
    if (refused.status === 401 && door.credential !== null)
      expect(refused.headers['www-authenticate'], door.name).toMatch(door.basic ? /^Basic / : /^Bearer/)
    else expect(door.credential, door.name).toBe(null)
  }
  expect(answering).toEqual(['getHealth', 'listSsoProviders'])
})

test('writes down a credential that is over', async () => {
  for (const door of counted()) {
    const id = randomUUID()
    const token = await credentialOf(door, new Date(Date.now() - 1000))
    expect((await ask(door, { id, token })).status, door.name).toBe(401)
    const events = await platform.parts.db
      .selectFrom('audit_events')
      .selectAll()
      .where('request_id', '=', id)
      .execute()
    expect(events, door.name).toMatchObject([{ account_id, outcome: 'denied', details: { status: 401 } }])
  }
})
