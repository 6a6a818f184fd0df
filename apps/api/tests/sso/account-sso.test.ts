import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AccountRow, accounts, members, scimUsers, userCredentials } from '@svc/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, type Person } from '../support/credentials.ts'
import { pick } from '../support/platform.ts'
import { stubIssuer } from '../support/stub-issuer.ts'
import { client, newBrowser, type SsoPlatform, ssoPlatform } from '../support/sso.ts'

const [acme, rival, poor] = [randomUUID(), randomUUID(), randomUUID()]
let sso: SsoPlatform
let owner: Person
let admin: Person
let member: Person
let rivalOwner: Person
let poorOwner: Person

beforeAll(async () => {
  sso = await ssoPlatform([acme, rival])
  owner = await newOwner(acme, 'enterprise')
  rivalOwner = await newOwner(rival, 'enterprise')
  poorOwner = await newOwner(poor, 'team')
  admin = await addPerson(db(), acme, 'admin')
  member = await addPerson(db(), acme, 'member')
})
afterAll(() => sso.close())

const db = () => sso.platform.parts.db

async function newOwner(account_id: string, tier: AccountRow['tier']): Promise<Person> {
  const created_at = new Date()
  await db().insertInto('accounts').values({ account_id, name: 'Acme', tier, created_at }).execute()
  return addPerson(db(), account_id, 'owner')
}

const call = (method: string, path: string, { token }: Person, json?: unknown) =>
  sso.platform.call(`/v1/accounts/${path}`, { method, token, ...(json === undefined ? {} : { json }) })
const claim = (account_id: string, by: Person, domain: string) =>
  call('POST', `${account_id}/domains`, by, { domain })
const verify = (account_id: string, by: Person, domain: string) =>
  call('POST', `${account_id}/domains/${domain}/verify`, by)
const newDomain = () => `${randomUUID()}.example`
const refused = (status: number, code: string) => ({ status, body: { error: true, status, code } })

/** Puts the record of a claim where name servers find it. */
async function publish(account_id: string, by: Person, domain: string): Promise<void> {
  const { body } = await claim(account_id, by, domain)
  const [name, value] = [pick(body, 'record.name'), pick(body, 'record.value')]
  sso.dns.texts.set(name, [...[sso.dns.texts.get(name) ?? []].flat(), value])
}

async function proved(account_id: string, by: Person, domain = newDomain()): Promise<string> {
  await publish(account_id, by, domain)
  expect(await verify(account_id, by, domain)).toMatchObject({ status: 200, body: { status: 'verified' } })
  return domain
}

async function events(account_id: string) {
  const rows = await db()
    .selectFrom('audit_events')
    .select(['action', 'target', 'outcome', 'details', 'actor_id'])
    .where('account_id', '=', account_id)
    .orderBy('seq')
    .execute()
  return rows
}

describe('a mail domain', () => {
  test('is claimed with a record to add, and proved once name servers hand it out', async () => {
    const domain = newDomain()
    const first = await claim(acme, owner, domain.toUpperCase())
    const name = `_svc-challenge.${domain}`
    expect(first).toMatchObject({
      status: 201,
      body: { domain, status: 'pending', verified_at: null, record: { type: 'TXT', name } },
    })
    const value = first.pick('record.value')
    expect(value).toMatch(/^svc-domain-verification=[\w-]{32}$/)
    expect((await claim(acme, owner, domain)).pick('record.value')).toBe(value)

    expect(await verify(acme, owner, domain)).toMatchObject(refused(422, 'domain_not_proved'))
    sso.dns.texts.set(name, ['v=spf1 -all', `${value}x`, value.toUpperCase()])
    const unproved = await verify(acme, owner, domain)
    expect(unproved).toMatchObject({
      ...refused(422, 'domain_not_proved'),
      body: { record: { name, value } },
    })
    expect(unproved.pick('message')).toContain('3 other TXT records')
    sso.dns.texts.set(name, 'fails')
    expect(await verify(acme, owner, domain)).toMatchObject(refused(503, 'temporarily_unavailable'))
    sso.dns.texts.set(name, ['v=spf1 -all', value])
    expect(await verify(acme, owner, domain)).toMatchObject({ status: 200, body: { status: 'verified' } })

    // The name is not looked up again.
    sso.dns.texts.delete(name)
    expect(await verify(acme, owner, domain)).toMatchObject({ status: 200, body: { expires_at: null } })
    expect(await claim(acme, owner, domain)).toMatchObject({ status: 201, body: { status: 'verified' } })
    const { body } = await call('GET', `${acme}/domains`, admin)
    expect(Object(body).domains).toContainEqual(expect.objectContaining({ domain, status: 'verified' }))
    expect(await events(acme)).toContainEqual(
      expect.objectContaining({ action: 'verifyDomain', target: `accounts/${acme}/domains/${domain}` }),
    )
    expect(await call('DELETE', `${acme}/domains/${domain}`, owner)).toMatchObject({ status: 204 })
    expect(await call('DELETE', `${acme}/domains/${domain}`, owner)).toMatchObject({ status: 404 })
  })

  test('in other letters is the same one, by its path as well', async () => {
    const name = randomUUID()
    const ascii = `xn--bcher-kva.${name}.example`
    expect(await claim(acme, owner, `Bücher.${name}.example.`)).toMatchObject({ body: { domain: ascii } })
    await publish(acme, owner, ascii)
    const path = encodeURIComponent(`BÜCHER.${name}.example`)
    expect(await verify(acme, owner, path)).toMatchObject({ status: 200, body: { domain: ascii } })
  })

  test.each(['co.uk', 'github.io', 'gmail.com', 'GMAIL.com.', '192.0.2.1', 'localhost', 'a b.example'])(
    '%s is refused, with what to do',
    async (domain) => {
      const answer = await claim(acme, owner, domain)
      expect(answer).toMatchObject(refused(400, 'domain_not_allowed'))
      expect(answer.pick('message')).toMatch(/give /i)
    },
  )

  test.each<readonly [string, number, string | undefined, () => [string, Person]]>([
    ['an owner whose plan lacks sso', 402, 'entitlement_required', () => [poor, poorOwner]],
    ['an admin', 403, 'forbidden', () => [acme, admin]],
    ['a member', 403, 'forbidden', () => [acme, member]],
    ['an owner of another account', 404, 'not_found', () => [acme, rivalOwner]],
  ])('is not claimed by %s', async (_, status, code, who) => {
    const [account_id, by] = who()
    expect(await claim(account_id, by, newDomain())).toMatchObject({ status, body: { code } })
    const json = { issuer: sso.issuer, ...client }
    expect(await call('PUT', `${account_id}/sso`, by, json)).toMatchObject({ status, body: { code } })
  })

  test('claimed by two has one owner, whichever comes first, and nobody else after', async () => {
    const domains = Array.from({ length: 6 }, newDomain)
    const both = [
      [acme, owner],
      [rival, rivalOwner],
    ] as const
    for (const domain of domains) for (const [account_id, by] of both) await publish(account_id, by, domain)
    const answers = await Promise.all(
      domains.map((domain) => Promise.all(both.map(([account_id, by]) => verify(account_id, by, domain)))),
    )
    for (const pair of answers) {
      expect(pair.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(pair.find(({ status }) => status === 409)).toMatchObject(refused(409, 'domain_taken'))
    }
    const [domain = ''] = domains
    const winner = answers[0]?.[0]?.status === 200 ? 0 : 1
    const [[won, wonBy], [lost, lostBy]] = winner === 0 ? [both[0], both[1]] : [both[1], both[0]]
    expect(await claim(lost, lostBy, domain)).toMatchObject(refused(409, 'domain_taken'))
    expect(await call('DELETE', `${lost}/domains/${domain}`, wonBy)).toMatchObject({ status: 404 })
    expect(await call('DELETE', `${won}/domains/${domain}`, wonBy)).toMatchObject({ status: 204 })
    expect(await verify(lost, lostBy, domain)).toMatchObject({ status: 200 })
  })

  test('that nobody proves is forgotten, and is in nobody’s way', async () => {
    const domain = newDomain()
    await publish(acme, owner, domain)
    expect(await verify(rival, rivalOwner, domain)).toMatchObject({ status: 404 })
    sso.switches.ahead = 8 * 86_400_000
    expect(await verify(acme, owner, domain)).toMatchObject({ status: 404 })
    const again = await claim(acme, owner, domain)
    sso.switches.ahead = 0
    const name = again.pick('record.name')
    expect([sso.dns.texts.get(name)].flat()).not.toContain(again.pick('record.value'))
  })
})

describe('a provider of the account’s own', () => {
  const set = (json: object) => call('PUT', `${acme}/sso`, owner, { ...client, ...json })

  test.each<readonly [string, string, () => string]>([
    ['malformed', 'no address', () => 'id.acme.example'],
    ['malformed', 'another protocol', () => 'ftp://id.acme.example'],
    ['malformed', 'a password', () => 'https://a:b@id.acme.example'],
    ['malformed', 'its document', () => `${sso.issuer}/.well-known/openid-configuration`],
    ['private_address', 'a private address', () => 'https://10.0.0.1'],
    ['private_address', 'the metadata service', () => 'https://169.254.169.254'],
    ['private_address', 'a mapped one', () => 'https://[::ffff:192.168.0.1]'],
    ['private_address', 'a number that is one', () => 'https://0x0a000001'],
    ['private_address', 'no TLS', () => 'http://8.8.8.8'],
    ['unreachable', 'a closed port', () => 'http://127.0.0.1:1'],
    ['not_openid', 'something else', () => sso.origin],
    ['issuer_mismatch', 'another name of it', () => sso.issuer.replace('127.0.0.1', 'localhost')],
  ])('is not set up: %s, for %s', async (reason, _, issuer) => {
    const answer = await set({ issuer: issuer() })
    expect(answer, answer.text).toMatchObject({ ...refused(422, 'issuer_not_usable'), body: { reason } })
    expect(answer.text).not.toContain(client.client_secret)
    expect(await call('GET', `${acme}/sso`, admin)).toMatchObject({ status: 404 })
  })

  test('is not followed elsewhere', async () => {
    const asked: string[] = []
    const server = createServer((req, res) => {
      asked.push(req.url ?? '')
      res.writeHead(302, { location: `${sso.issuer}/.well-known/openid-configuration` }).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const issuer = `http://127.0.0.1:${Object(server.address()).port}`
    expect(await set({ issuer })).toMatchObject({ status: 422, body: { reason: 'not_openid' } })
    expect(asked).toEqual(['/.well-known/openid-configuration'])
    server.close()
  })

  test('is kept with its secret, which nothing shows again', async () => {
    const answer = await set({ issuer: sso.issuer })
    const shown = {
      issuer: sso.issuer,
      client_id: client.client_id,
      enforced: false,
      default_role: 'member',
      redirect_uri: `${sso.origin}/v1/auth/sso/${acme}/callback`,
    }
    expect(answer, answer.text).toMatchObject({ status: 200, body: shown })
    const read = await call('GET', `${acme}/sso`, admin)
    expect(read.body).toEqual(answer.body)
    // Without a secret the kept one stays, but goes to no other issuer.
    const { client_id } = client
    const kept = await call('PUT', `${acme}/sso`, owner, { issuer: sso.issuer, client_id })
    expect(kept).toMatchObject({ status: 200, body: shown })
    for (const other of [
      { issuer: 'https://evil.example', client_id },
      { issuer: sso.issuer, client_id: 'x' },
    ])
      expect(await call('PUT', `${acme}/sso`, owner, other)).toMatchObject({
        ...refused(400, 'invalid_request'),
        body: { issues: [{ path: 'client_secret' }] },
      })
    expect(await set({ issuer: sso.issuer, enforced: true })).toMatchObject(refused(409, 'conflict'))
  })
})

describe('signing in', () => {
  const lookUp = (email: string) =>
    sso.platform.call(`/v1/auth/sso?email=${encodeURIComponent(email)}`, { method: 'GET' })
  const come = async (login: string, name = acme) => sso.finish(newBrowser(), login, name)
  let domain: string
  beforeAll(async () => {
    domain = await proved(acme, owner)
    const set = await call('PUT', `${acme}/sso`, owner, { issuer: sso.issuer, ...client })
    expect(set.status, set.text).toBe(200)
  })
  const account = (local: string = randomUUID(), verified: boolean | null = true) =>
    sso.newAccount(verified, `${local}@${domain}`)

  test('the domain tells the provider, and not whether somebody exists', async () => {
    const own = { name: acme, url: `${sso.origin}/v1/auth/sso/${acme}` }
    const operators = { name: 'acme', url: `${sso.origin}/v1/auth/sso/acme` }
    for (const email of [`${randomUUID()}@${domain}`, `ADA@${domain.toUpperCase()}`])
      expect(await lookUp(email)).toMatchObject({
        status: 200,
        body: { providers: [own, operators], enforced: false },
      })
    for (const email of [`ada@sub.${domain}`, `ada@x${domain}`, 'ada@example.com'])
      expect((await lookUp(email)).body).toEqual({ providers: [operators], enforced: false })
    expect(await lookUp('ada')).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    for (const name of [rival, randomUUID()])
      expect(await sso.platform.call(`/v1/auth/sso/${name}`)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })
  })

  test.each([
    ['verified', true],
    ['unsaid, by a provider that is asked for its own domain alone', null],
  ])('somebody new joins with the default role; their address %s', async (_, verified) => {
    const { login, email } = account(undefined, verified)
    const signedIn = await sso.exchange(pick((await come(login)).body, 'link_token'))
    expect(signedIn, signedIn.text).toMatchObject({ status: 200, body: { user: { email, name: 'Ada' } } })
    const token = signedIn.pick('session.access_token')
    const me = await sso.platform.call('/v1/accounts/me', { token })
    expect(Object(me.body).accounts).toMatchObject([{ account_id: acme, role: 'member' }])
    const user_id = signedIn.pick('user.user_id')
    expect(await events(acme)).toContainEqual({
      action: 'finishSso',
      target: `accounts/${acme}/members/${user_id}`,
      outcome: 'success',
      actor_id: user_id,
      details: { issuer: sso.issuer, role: 'member', joined: true },
    })
    const again = await sso.exchange(pick((await come(login)).body, 'link_token'))
    expect(again.pick('user.user_id')).toBe(user_id)
    const joined = (await events(acme)).filter(({ target }) => target.endsWith(user_id))
    expect(joined.filter(({ details }) => Object(details).joined)).toHaveLength(1)
  })

  test.each<readonly [string, () => { login: string; email: string }]>([
    ['another domain', () => sso.newAccount(true)],
    ['a domain below it', () => sso.newAccount(true, `ada@sub.${domain}`)],
    ['a domain that ends like it', () => sso.newAccount(true, `ada@x${domain}`)],
    ['one that only begins like it', () => sso.newAccount(true, `ada@${domain}.evil.example`)],
    ['the domain, which the provider calls unverified', () => account(undefined, false)],
  ])('an address of %s signs nobody in', async (_, make) => {
    const { login, email } = make()
    expect(await come(login)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(await userCredentials.findByEmail(db(), email)).toBeUndefined()
  })

  test('who came before stays out once the provider gives them an address elsewhere', async () => {
    const { login, email } = account()
    await sso.exchange(pick((await come(login)).body, 'link_token'))
    sso.known.set(login, { email: 'ada@example.com', email_verified: true })
    expect(await come(login)).toMatchObject({ status: 403 })
    sso.known.set(login, { email: `other@${domain}`, email_verified: true })
    const moved = await sso.exchange(pick((await come(login)).body, 'link_token'))
    expect(moved).toMatchObject({ body: { user: { email } } })
  })

  test('who has an address elsewhere is not found by what another provider called them', async () => {
    const { login } = sso.newAccount()
    const before = await sso.exchange(pick((await sso.finish(newBrowser(), login)).body, 'link_token'))
    expect(before.status).toBe(200)
    // The same issuer, and now an address of the domain: it is another person's account still.
    sso.known.set(login, { email: `eve@${domain}`, email_verified: true })
    expect(await come(login)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  })

  test('somebody who is there keeps what they have, and joins', async () => {
    const { login, email } = account()
    const [user_id, home, created_at] = [randomUUID(), randomUUID(), new Date()]
    await accounts.createWithOwner(
      db(),
      { account_id: home, name: 'Ada', tier: 'free', created_at },
      { user_id, email: email.toUpperCase(), name: 'Ada', created_at },
    )
    // A password that a stranger may have set before the address was confirmed.
    await userCredentials.setPassword(db(), user_id, '$argon2id$x', created_at)
    expect(await come(login)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(await members.find(db(), { account_id: acme, user_id })).toBeUndefined()
    await userCredentials.setVerified(db(), user_id, created_at)
    const signedIn = await sso.exchange(pick((await come(login)).body, 'link_token'))
    expect(signedIn.pick('user.user_id')).toBe(user_id)
    const token = signedIn.pick('session.access_token')
    const { body } = await sso.platform.call('/v1/accounts/me', { token })
    const roles = Object(body).accounts.map(({ account_id, role }: Record<string, string>) => [
      account_id,
      role,
    ])
    expect(Object.fromEntries(roles)).toEqual({ [home]: 'owner', [acme]: 'member' })
  })

  test('whom the directory put out stays out', async () => {
    const { login, email } = account()
    const user_id = randomUUID()
    const now = new Date()
    await accounts.insertUser(db(), { user_id, email, name: 'Ada', created_at: now })
    const facts = { account_id: acme, user_id, user_name: email, external_id: null, attributes: {} }
    await scimUsers.put(db(), facts, now)
    await scimUsers.markMade(db(), facts)
    expect(await come(login)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(await members.find(db(), { account_id: acme, user_id })).toBeUndefined()
  })

  test('an attempt belongs to its account, and counts for what the account has proved when it ends', async () => {
    const { login } = account()
    const browser = newBrowser()
    const callback = await sso.untilCallback(browser, login, acme)
    const elsewhere = callback.replace(acme, 'acme')
    expect((await browser.open(elsewhere)).status).toBe(401)
    const other = newBrowser()
    const begun = await sso.untilCallback(other, login, acme)
    await db()
      .updateTable('account_domains')
      .set({ domain: newDomain() })
      .where('domain', '=', domain)
      .execute()
    expect((await other.open(begun)).status).toBe(403)
    domain = await proved(acme, owner)
  })

  test('nobody comes by it while the plan holds no sso', async () => {
    const { login, email } = account()
    const { link_token } = Object((await come(login)).body)
    await db().updateTable('accounts').set({ tier: 'team' }).where('account_id', '=', acme).execute()
    expect(await sso.platform.call(`/v1/auth/sso/${acme}`)).toMatchObject({ status: 404 })
    expect((await lookUp(email)).body).toMatchObject({ providers: [{ name: 'acme' }] })
    expect(await call('PUT', `${acme}/sso`, owner, { issuer: sso.issuer, ...client })).toMatchObject({
      status: 402,
    })
    await db().updateTable('accounts').set({ tier: 'enterprise' }).where('account_id', '=', acme).execute()
    expect(await sso.exchange(link_token)).toMatchObject({ status: 200 })
  })

  test('a provider that does not answer says so, and without it its sign-ins are over', async () => {
    const { login } = account()
    const signedIn = await sso.exchange(pick((await come(login)).body, 'link_token'))
    const token = signedIn.pick('session.access_token')
    const me = () => sso.platform.call('/v1/accounts/me', { token })
    expect(await me()).toMatchObject({ status: 200 })
    const browser = newBrowser()
    const begun = await sso.untilCallback(browser, login, acme)
    const stub = await stubIssuer()
    const other = await call('PUT', `${acme}/sso`, owner, { ...client, issuer: stub.issuer })
    expect(other.status, other.text).toBe(200)
    expect(await me()).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
    expect((await browser.open(begun)).status).toBe(401)
    await stub.close()
    expect(await sso.platform.call(`/v1/auth/sso/${acme}`)).toMatchObject({
      status: 503,
      body: { error: 'temporarily_unavailable' },
    })
    expect(await call('DELETE', `${acme}/sso`, owner)).toMatchObject({ status: 204 })
    expect(await call('DELETE', `${acme}/sso`, owner)).toMatchObject({ status: 404 })
  })
})

test('no secret of a provider is in the log or in a copy of the database', async () => {
  await call('PUT', `${rival}/sso`, rivalOwner, { issuer: sso.issuer, ...client })
  const tables = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db())
  for (const { name } of tables.rows) {
    const { rows } = await sql<{
      row: string
    }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(db())
    expect(rows.map(({ row }) => row).join('\n'), name).not.toContain(client.client_secret)
  }
  expect(sso.platform.lines.join('\n')).not.toContain(client.client_secret)
})
