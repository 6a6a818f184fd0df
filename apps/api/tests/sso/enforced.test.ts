import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { accountSso, oauth } from '@svc/db'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashOf, mint, mintForApp } from '../support/credentials.ts'
import { pick } from '../support/platform.ts'
import { client, newBrowser } from '../support/sso.ts'
import { openDomain, password, type SignedUp } from './people.ts'

const {
  sso,
  db,
  account_id,
  domain,
  owner,
  totp,
  url,
  ask,
  auth,
  enforce,
  codeFor,
  signedUp,
  withTotp,
  codeOf,
  bySso,
} = await openDomain()

const ssoRequired = {
  status: 403,
  body: { error: 'sso_required', error_description: expect.stringContaining(url) },
}
const outside = { status: 403, body: { error: true, code: 'account_sso_required' } }

describe('where an account has its people come by single sign-on', () => {
  let member: SignedUp
  let guest: SignedUp
  let sent: string
  let project_id: string
  const tokens = new Map<string, string>()

  beforeAll(async () => {
    ;[member, guest] = [await signedUp('member'), await signedUp('member', 'guest.example')]
    const project = await ask('POST', '/projects/provision', { name: 'Shop' }, owner.access)
    project_id = project.pick('project_id')
    await auth('/sign-in/magic-link', { email: member.email })
    sent = await codeFor(member.email, 'Sign in')
    tokens.set('a minted token', (await mint(db, { kind: 'user', user_id: member.user_id })).token)
    for (const by_token of [true, false]) {
      const app = await mintForApp(db, { user_id: member.user_id, scope: 'svc' })
      const row = await oauth.find(db, { model: 'AccessToken', id_hash: hashOf(app) })
      if (row?.grant_hash)
        await oauth.markProof(db, row.grant_hash, {
          mfa: by_token,
          by_token,
          sso_account_id: null,
        })
      tokens.set(by_token ? 'an app approved with a token' : 'an app approved with a password', app)
    }
    await ask('PUT', `/accounts/${account_id}/sso`, { issuer: sso.issuer, ...client }, owner.access)
    tokens.set('single sign-on', await bySso(member.email))
    tokens.set('a sign-in from before', member.access)
    tokens.set('a guest of another domain', guest.access)
    tokens.set('an owner with two-factor', owner.access)
    for (const [name, token] of tokens)
      expect((await ask('GET', `/accounts/${account_id}/members`, undefined, token)).status, name).toBe(200)
    const set = await enforce(true)
    expect(set, set.text).toMatchObject({ status: 200, body: { enforced: true } })
  })

  test.each<readonly [string, (email: string) => Promise<{ status: number; body: unknown }>]>([
    ['a password', (email) => auth('/sign-in/password', { email, password })],
    ['a wrong password', (email) => auth('/sign-in/password', { email, password: 'wrong horse battery' })],
    [
      'both factors of somebody who owns nothing',
      (email) => auth('/sign-in/password', { email, password, totp_code: '123456' }),
    ],
    ['a link by mail', (email) => auth('/sign-in/magic-link', { email })],
    ['a new password', (email) => auth('/password/reset', { email })],
    ['signing up', (email) => auth('/signup', { email, password })],
    [
      'another provider',
      async (email) => {
        const { status, body } = await sso.finish(newBrowser(), sso.newAccount(true, email).login)
        return { status, body }
      },
    ],
  ])('%s is refused, whether somebody has the address or not', async (_, come) => {
    const before = sso.mails.length
    const answers = [await come(member.email), await come(`${randomUUID()}@${domain}`)]
    for (const { status, body } of answers) expect({ status, body }).toEqual(ssoRequired)
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    expect(sso.mails).toHaveLength(before)
  })

  test.each([
    ['/sign-in/password', 'signInWithPassword', { password }],
    ['/sign-in/magic-link', 'askForMagicLink', {}],
    ['/password/reset', 'resetPassword', {}],
    ['/signup', 'signUp', { password }],
  ])('%s leaves one event a minute in the log of the account', async (path, action, more) => {
    const { email, user_id } = await signedUpBefore()
    const count = () =>
      db
        .selectFrom('audit_events')
        .select(['account_id', 'outcome', 'details'])
        .where('actor_id', '=', user_id)
        .where('action', '=', action)
        .where('outcome', '=', 'denied')
        .execute()
    const details = { reason: 'sso_required', authenticated: false }
    await auth(path, { email, ...more })
    await expect.poll(count).toEqual([{ account_id, outcome: 'denied', details }])
    await auth(path, { email, ...more })
    expect(await count()).toHaveLength(1)
  })

  test('a code that was mailed before is worth nothing', async () => {
    const { status, body } = await auth('/verify-otp', {
      type: 'magic_link',
      email: member.email,
      token: sent,
    })
    expect({ status, body }).toEqual(ssoRequired)
  })

  test('its provider stands alone for them, and others choose', async () => {
    const found = await ask('GET', `/auth/sso?email=nobody@${domain}`)
    expect(found.body).toEqual({ providers: [{ name: account_id, url }], enforced: true })
    expect((await ask('GET', `/auth/sso?email=${guest.email}`)).body).toMatchObject({ enforced: false })
    expect(await auth('/sign-in/password', { email: guest.email, password })).toMatchObject({ status: 200 })
  })

  test.each([
    ['a sign-in from before', false],
    ['an app approved with a password', false],
    ['a minted token', true],
    ['an app approved with a token', true],
    ['single sign-on', true],
    ['a guest of another domain', true],
    ['an owner with two-factor', true],
  ])('%s reaches the account: %s', async (name, reaches) => {
    const token = tokens.get(name)
    const answer = await ask('GET', `/accounts/${account_id}/members`, undefined, token)
    expect(answer, answer.text).toMatchObject(reaches ? { status: 200 } : outside)
  })

  test('a sign-in from before reaches nothing of the account, mints no token, and is told why', async () => {
    await db
      .insertInto('project_members')
      .values({ project_id, user_id: member.user_id, role: 'editor', created_at: new Date() })
      .execute()
    await db.updateTable('projects').set({ account_id }).where('project_id', '=', project_id).execute()
    for (const [method, path, json] of [
      ['GET', `/projects/${project_id}`, undefined],
      ['GET', `/projects/${project_id}/sessions`, undefined],
      ['POST', '/accounts/tokens', { name: 'way out' }],
    ] as const)
      expect(await ask(method, path, json, member.access), path).toMatchObject(outside)
    const list = await ask('GET', '/projects', undefined, member.access)
    expect(list.text).not.toContain(project_id)
    const mine = await ask('GET', `/projects/${project_id}`, undefined, tokens.get('single sign-on'))
    expect(mine).toMatchObject({ status: 200 })
    expect(await ask('GET', '/auth/user', undefined, member.access)).toMatchObject({ status: 200 })
  })

  test('an owner with both factors comes in when the provider fails; with less nobody does', async () => {
    const sign = (email: string, more: object) => auth('/sign-in/password', { email, password, ...more })
    const wrong = await sign(owner.email, { totp_code: '000000' })
    const half = await sign(owner.email, {})
    const guess = await sign(owner.email, { password: 'wrong horse battery', totp_code: codeOf(totp) })
    for (const { status, body } of [wrong, half, guess]) expect({ status, body }).toEqual(ssoRequired)
    const inside = await sign(owner.email, { totp_code: codeOf(totp) })
    expect(inside, inside.text).toMatchObject({ status: 200 })
    const token = inside.pick('session.access_token')
    const path = `/accounts/${account_id}/sso`
    expect(await ask('GET', path, undefined, token)).toMatchObject({ status: 200 })
    // The second factor of another person is no way in.
    const other = await signedUpBefore()
    const { status, body } = await sign(other.email, { totp_code: codeOf(other.app) })
    expect({ status, body }).toEqual(ssoRequired)
  })

  async function signedUpBefore() {
    await accountSso.put(db, { ...(await row()), enforced: false })
    const person = await signedUp('member')
    const app = await withTotp(person)
    await accountSso.put(db, { ...(await row()), enforced: true })
    return { ...person, app }
  }

  async function row() {
    const found = await accountSso.find(db, account_id)
    if (!found) throw new Error('The account has no provider')
    return found
  }

  test('an app is approved on the pages of the platform by single sign-on, and by no password', async () => {
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      client_id: 'svc-cli',
      redirect_uri: 'http://127.0.0.1:4711/callback',
      response_type: 'code',
      scope: 'svc',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const browser = newBrowser()
    /** As a browser does on this origin. */
    const follow = async (answer: Response): Promise<Response> => {
      const location = answer.headers.get('location')
      const to = location === null ? null : new URL(location, sso.origin)
      return to?.origin === sso.origin ? follow(await browser.open(to.href)) : answer
    }
    const asked = await follow(await browser.open(`${sso.origin}/v1/oauth/authorize?${query.toString()}`))
    const page = asked.url
    const byPassword = await browser.open(page, { step: 'password', email: member.email, password })
    expect([byPassword.status, await byPassword.text()]).toEqual([403, expect.stringContaining(url)])

    const { login } = sso.newAccount(true, member.email)
    const leaving = await browser.open(page, { step: 'sso', email: member.email })
    expect(leaving.headers.get('set-cookie')).toMatch(
      /^svc_sso=.*; Path=\/v1\/auth\/sso; HttpOnly; SameSite=Lax$/,
    )
    const href = /<a href="([^"]+)"/.exec(await leaving.text())?.[1] ?? ''
    const there = await browser.open(href.replaceAll('&amp;', '&'))
    const back = await sso.throughProvider(browser, there, login, sso.callbackOf(account_id))
    const returned = await follow(await browser.open(back))
    expect([returned.url, await returned.text()]).toEqual([
      page,
      expect.stringContaining('has signed you in'),
    ])
    const consent = await follow(await browser.open(page, { step: 'sso-done' }))
    expect(await consent.text()).toContain('Allow access?')
    const landed = await follow(await browser.open(consent.url, { step: 'approve' }))
    const { searchParams } = new URL(landed.headers.get('location') ?? '')
    const exchanged = await fetch(`${sso.origin}/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'svc-cli',
        code: searchParams.get('code') ?? '',
        redirect_uri: 'http://127.0.0.1:4711/callback',
        code_verifier: verifier,
      }),
    })
    const app = pick(await exchanged.json(), 'access_token')
    tokens.set('an app approved by single sign-on', app)
    const reached = await ask('GET', `/accounts/${account_id}/members`, undefined, app)
    expect(reached).toMatchObject({ status: 200 })
    // Once, and not with what another browser brings.
    const stranger = newBrowser()
    const other = await stranger.open(`${sso.origin}/v1/oauth/authorize?${query.toString()}`)
    const theirs = new URL(other.headers.get('location') ?? '', sso.origin).href
    expect((await stranger.open(theirs, { step: 'sso-done' })).status).toBe(401)
  })

  test('it is over when it is switched off, when the plan lapses, and when the domain is given free', async () => {
    const path = `/accounts/${account_id}/members`
    const reaches = async () => (await ask('GET', path, undefined, member.access)).status
    expect(await reaches()).toBe(403)
    const tier = (to: 'team' | 'enterprise') =>
      db.updateTable('accounts').set({ tier: to }).where('account_id', '=', account_id).execute()
    await tier('team')
    expect(await reaches()).toBe(200)
    await tier('enterprise')
    expect(await reaches()).toBe(403)
    expect(await enforce(false)).toMatchObject({ status: 200 })
    expect(await reaches()).toBe(200)
    expect(await enforce(true)).toMatchObject({ status: 200 })
    expect(await reaches()).toBe(403)
    const free = await ask('DELETE', `/accounts/${account_id}/domains/${domain}`, undefined, owner.access)
    expect(free.status).toBe(204)
    expect(await reaches()).toBe(200)
    expect(await auth('/sign-in/password', { email: member.email, password })).toMatchObject({ status: 200 })
    // Sessions that the provider opened end with it.
    const gone = ask('DELETE', `/accounts/${account_id}/sso`, undefined, owner.access)
    expect(await gone).toMatchObject({ status: 204 })
    for (const name of ['single sign-on', 'an app approved by single sign-on'])
      expect(await ask('GET', '/accounts/me', undefined, tokens.get(name)), name).toMatchObject({
        status: 401,
        body: { code: 'session_token_revoked' },
      })
  })
})
