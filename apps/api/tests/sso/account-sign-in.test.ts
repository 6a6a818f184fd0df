import { randomUUID } from 'node:crypto'
import { accounts, members, scimUsers, userCredentials } from '@svc/db'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { pick } from '../support/platform.ts'
import { stubIssuer } from '../support/stub-issuer.ts'
import { client, newBrowser } from '../support/sso.ts'
import { newDomain, openAccounts } from './accounts.ts'

const { sso, acme, rival, owner, rivalOwner, db, call, proved, events } = await openAccounts()

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
    expect(await userCredentials.findByEmail(db, email)).toBeUndefined()
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
      db,
      { account_id: home, name: 'Ada', tier: 'free', created_at },
      { user_id, email: email.toUpperCase(), name: 'Ada', created_at },
    )
    // A password that a stranger may have set before the address was confirmed.
    await userCredentials.setPassword(db, user_id, '$argon2id$x', created_at)
    expect(await come(login)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(await members.find(db, { account_id: acme, user_id })).toBeUndefined()
    await userCredentials.setVerified(db, user_id, created_at)
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
    await accounts.insertUser(db, { user_id, email, name: 'Ada', created_at: now })
    const facts = { account_id: acme, user_id, user_name: email, external_id: null, attributes: {} }
    await scimUsers.put(db, facts, now)
    await scimUsers.markMade(db, facts)
    expect(await come(login)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(await members.find(db, { account_id: acme, user_id })).toBeUndefined()
  })

  test('an attempt belongs to its account, and counts for what the account has proved when it ends', async () => {
    const { login } = account()
    const browser = newBrowser()
    const callback = await sso.untilCallback(browser, login, acme)
    const elsewhere = callback.replace(acme, 'acme')
    expect((await browser.open(elsewhere)).status).toBe(401)
    const other = newBrowser()
    const begun = await sso.untilCallback(other, login, acme)
    await db
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
    await db.updateTable('accounts').set({ tier: 'team' }).where('account_id', '=', acme).execute()
    expect(await sso.platform.call(`/v1/auth/sso/${acme}`)).toMatchObject({ status: 404 })
    expect((await lookUp(email)).body).toMatchObject({ providers: [{ name: 'acme' }] })
    expect(await call('PUT', `${acme}/sso`, owner, { issuer: sso.issuer, ...client })).toMatchObject({
      status: 402,
    })
    await db.updateTable('accounts').set({ tier: 'enterprise' }).where('account_id', '=', acme).execute()
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
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  for (const { name } of tables.rows) {
    const { rows } = await sql<{
      row: string
    }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(db)
    expect(rows.map(({ row }) => row).join('\n'), name).not.toContain(client.client_secret)
  }
  expect(sso.platform.lines.join('\n')).not.toContain(client.client_secret)
})
