import { createHash, randomUUID } from 'node:crypto'
import type { Mail } from '@svc/services'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { trustedProxies } from '../src/middleware/client-address.ts'
import { pick, type TestPlatform, testPlatform } from './support/platform.ts'
import { serve, type ServedApi } from './support/serve.ts'

const password = 'correct horse battery'
const mails: Mail[] = []
const secrets = new Set<string>([password, 'another horse battery'])
let ahead = 0
let platform: TestPlatform
let api: ServedApi
let address: string
let signUpSwitch: 'open' | 'invited' = 'open'

beforeAll(async () => {
  platform = await testPlatform({
    is_proxy: trustedProxies(['127.0.0.1']),
    now: () => new Date(Date.now() + ahead),
    mail: { send: async (mail) => void mails.push(mail), close: async () => {} },
    settings: {
      api_url: 'https://svc.example.com/v1',
      llm_base_url: null,
      session_cap: null,
      idle_after_seconds: 900,
      trigger_idle_after_seconds: 300,
      ask_timeout_seconds: 1800,
      get sign_up() {
        return signUpSwitch
      },
    },
  })
  api = await serve(platform)
})
afterAll(async () => {
  await api.close()
  await platform.close()
})

let addresses = 0
/** Every test is a client of its own, with a minute of its own. */
beforeEach(() => {
  address = `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`
  signUpSwitch = 'open'
})

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

async function ask(method: string, path: string, json?: unknown, token?: string): Promise<Answer> {
  const answer = await fetch(`${api.origin}/v1${path}`, {
    method,
    headers: {
      'x-forwarded-for': address,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await answer.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  remember(body)
  return { status: answer.status, headers: answer.headers, body }
}

const post = (path: string, json: unknown, token?: string) => ask('POST', `/auth${path}`, json, token)

/** What the dump must not hold. */
function remember(body: unknown): void {
  for (const [, secret = ''] of JSON.stringify(body).matchAll(/"(svc_(?:usr|urt|pat)_\w{49})"/g))
    secrets.add(secret)
}

const newEmail = () => `${randomUUID()}@example.com`

/** The code and the link's token of the newest mail to an address. */
async function mailTo(
  email: string,
  subject?: string,
): Promise<{ code: string; link_token: string; text: string }> {
  const find = () => mails.findLast(({ to, subject: of }) => to === email && (subject ?? of) === of)
  await expect.poll(find).toBeDefined()
  const { text = '' } = find() ?? {}
  const code = (/code is (\d{4} \d{4})/.exec(text)?.[1] ?? '').replace(' ', '')
  const link_token = /#type=\w+&token=(\S+)/.exec(text)?.[1] ?? ''
  for (const secret of [code, link_token]) if (secret !== '') secrets.add(secret)
  return { code, link_token, text }
}

/** A minute passes, so that an address may be mailed again. */
function pass(ms: number): void {
  ahead += ms
}

interface Person {
  readonly email: string
  readonly access: string
  readonly refresh: string
}

function tokensOf(body: unknown) {
  return { access: pick(body, 'session.access_token'), refresh: pick(body, 'session.refresh_token') }
}

async function signedUp(): Promise<Person> {
  const email = newEmail()
  expect(await post('/signup', { email, password })).toMatchObject({ status: 200 })
  const { code } = await mailTo(email)
  const verified = await post('/verify-otp', { type: 'signup', email, token: code })
  expect(verified, JSON.stringify(verified.body)).toMatchObject({ status: 200 })
  return { email, ...tokensOf(verified.body) }
}

const signIn = (email: string, more: object = {}) => post('/sign-in/password', { email, password, ...more })
const me = (token: string) => ask('GET', '/accounts/me', undefined, token)
const refused = (status: number, error: string) => ({
  status,
  body: { error, error_description: expect.any(String) },
})

function totpCode(secret: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: Date.now() + ahead + steps * 30_000 })
}

async function withTotp(person: Person) {
  const enrolled = await post('/totp', { password }, person.access)
  const secret = pick(enrolled.body, 'secret')
  secrets.add(secret)
  const confirmed = await post('/totp/confirm', { code: totpCode(secret) }, person.access)
  expect(confirmed, JSON.stringify(confirmed.body)).toMatchObject({ status: 200 })
  const codes: string[] = Object(confirmed.body).recovery_codes
  for (const code of codes) secrets.add(code)
  // The code of this step is used up.
  pass(30_000)
  return { secret, codes }
}

describe('signing up', () => {
  test('an address that is confirmed by its code is a person who acts everywhere a user token does', async () => {
    const email = newEmail()
    const asked = await post('/signup', { email: email.toUpperCase(), password, name: 'Ada' })
    expect(asked).toMatchObject({ status: 200, body: { session: null, user: null } })
    const { code, text } = await mailTo(email)
    expect(text).toContain('https://svc.example.com/v1/auth/link#type=signup&token=svc_lnk_')
    expect(await signIn(email)).toMatchObject(refused(401, 'invalid_credentials'))

    const spaced = `${code.slice(0, 4)} ${code.slice(4)}`
    const verified = await post('/verify-otp', { type: 'signup', email, token: spaced })
    expect(verified.body).toEqual({
      session: {
        access_token: expect.stringMatching(/^svc_usr_/),
        refresh_token: expect.stringMatching(/^svc_urt_/),
        token_type: 'bearer',
        expires_in: 3600,
        expires_at: expect.any(Number),
      },
      user: {
        user_id: expect.any(String),
        email,
        name: 'Ada',
        email_verified: true,
        two_factor: false,
        created_at: expect.any(String),
      },
    })
    const { access } = tokensOf(verified.body)
    expect(await me(access)).toMatchObject({
      status: 200,
      body: { email, accounts: [{ role: 'owner', tier: 'free' }] },
    })
    expect(await ask('GET', '/auth/user', undefined, access)).toMatchObject({ body: { user: { email } } })
    const minted = await ask('POST', '/accounts/tokens', { name: 'laptop' }, access)
    expect(minted).toMatchObject({ status: 201 })
    const project = await ask('POST', '/projects/provision', { name: 'Shop' }, access)
    expect(project).toMatchObject({ status: 201 })
    expect(await signIn(email)).toMatchObject({ status: 200, body: { user: { email } } })
  })

  test('the link of the mail does the same, once', async () => {
    const email = newEmail()
    await post('/signup', { email, password })
    const { link_token } = await mailTo(email)
    expect(await post('/verify-otp', { type: 'magic_link', link_token })).toMatchObject(
      refused(401, 'otp_expired'),
    )
    expect(await post('/verify-otp', { type: 'signup', link_token })).toMatchObject({ status: 200 })
    expect(await post('/verify-otp', { type: 'signup', link_token })).toMatchObject(
      refused(401, 'otp_expired'),
    )
  })

  test.each([
    ['short', 'too short'],
    ['aaaaaaaaaaaaaaaa', 'too plain'],
  ])('%s is no password', async (weak) => {
    expect(await post('/signup', { email: newEmail(), password: weak })).toMatchObject(
      refused(422, 'weak_password'),
    )
  })

  test('by invitation alone: others get the same answer and no mail; the invited joins', async () => {
    signUpSwitch = 'invited'
    const { owner } = platform
    const account_id = pick((await me(owner.token)).body, 'account_id')
    const [invited, uninvited] = [newEmail(), newEmail()]
    const invitation = await ask(
      'POST',
      `/accounts/${account_id}/invitations`,
      { email: invited },
      owner.token,
    )
    for (const email of [uninvited, invited]) {
      expect(await post('/signup', { email, password })).toMatchObject({
        status: 200,
        body: { session: null, user: null },
      })
    }
    const { code } = await mailTo(invited)
    expect(mails.some(({ to }) => to === uninvited)).toBe(false)
    const verified = await post('/verify-otp', { type: 'signup', email: invited, token: code })
    const { access } = tokensOf(verified.body)
    expect(await me(access)).toMatchObject({ status: 404 })
    const token = pick(invitation.body, 'token')
    expect(await ask('POST', '/accounts/invitations/accept', { token }, access)).toMatchObject({
      status: 200,
    })
    expect(await me(access)).toMatchObject({ status: 200, body: { account_id } })
  })
})

describe('nobody learns who has an address', () => {
  const asks: readonly [string, (email: string) => Promise<Answer>][] = [
    ['signing up', (email) => post('/signup', { email, password: 'another horse battery' })],
    ['asking for a link', (email) => post('/sign-in/magic-link', { email })],
    ['asking for a reset', (email) => post('/password/reset', { email })],
    ['a wrong password', (email) => post('/sign-in/password', { email, password: 'wrong horse battery' })],
    ['a wrong code', (email) => post('/verify-otp', { type: 'magic_link', email, token: '00000000' })],
  ]
  test.each(asks)('%s', async (_, send) => {
    const { email } = await signedUp()
    pass(61_000)
    const shapes = await Promise.all([email, newEmail()].map(async (one) => shapeOf(await send(one))))
    expect(shapes[0]).toEqual(shapes[1])
    pass(61_000)
    const again = await Promise.all(
      [email, newEmail()].map(async (one) => [shapeOf(await send(one)), shapeOf(await send(one))]),
    )
    expect(again[0]).toEqual(again[1])
  })

  test('a person who signs up again keeps their password, and hears of it by mail', async () => {
    const { email } = await signedUp()
    pass(61_000)
    await post('/signup', { email, password: 'another horse battery' })
    const { code } = await mailTo(email, 'You have signed up already')
    expect(code).toBe('')
    expect(await signIn(email)).toMatchObject({ status: 200 })
  })

  test('the link page says nothing and keeps what it is given to itself', async () => {
    const answer = await fetch(`${api.origin}/v1/auth/link`, { headers: { 'x-forwarded-for': address } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'sha256-")
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })
})

function shapeOf({ status, headers, body }: Answer) {
  const names = [...headers.keys()].filter((name) => name !== 'keep-alive').sort()
  return { status, names, body: JSON.stringify(body).replace(/\d+ seconds/, 'n seconds') }
}

describe('a code', () => {
  test('allows five attempts, then not even the right one', async () => {
    const { email } = await signedUp()
    await post('/sign-in/magic-link', { email })
    const { code } = await mailTo(email, 'Sign in')
    const wrong = code === '11111111' ? '22222222' : '11111111'
    const guesses = await Promise.all(
      Array.from({ length: 8 }, () => post('/verify-otp', { type: 'magic_link', email, token: wrong })),
    )
    for (const guess of guesses) expect(guess).toMatchObject(refused(401, 'otp_expired'))
    expect(await post('/verify-otp', { type: 'magic_link', email, token: code })).toMatchObject(
      refused(401, 'otp_expired'),
    )
  })

  test('works once, even for two at once, and not for another purpose', async () => {
    const { email } = await signedUp()
    await post('/sign-in/magic-link', { email })
    const { code } = await mailTo(email, 'Sign in')
    const misuse = { email, token: code, password: 'another horse battery' }
    expect(await post('/password/reset', misuse)).toMatchObject(refused(401, 'otp_expired'))
    const uses = await Promise.all(
      [1, 2].map(() => post('/verify-otp', { type: 'magic_link', email, token: code })),
    )
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('ends after ten minutes, and a newer one takes its place', async () => {
    const { email } = await signedUp()
    await post('/sign-in/magic-link', { email })
    const first = await mailTo(email, 'Sign in')
    expect(await post('/sign-in/magic-link', { email })).toMatchObject(
      refused(429, 'over_email_send_rate_limit'),
    )
    pass(61_000)
    const before = mails.length
    await post('/sign-in/magic-link', { email })
    await expect.poll(() => mails.length).toBeGreaterThan(before)
    const second = await mailTo(email, 'Sign in')
    expect(await post('/verify-otp', { type: 'magic_link', email, token: first.code })).toMatchObject({
      status: 401,
    })
    pass(10 * 60_000 + 1000)
    expect(await post('/verify-otp', { type: 'magic_link', email, token: second.code })).toMatchObject({
      status: 401,
    })
  })
})

describe('a sign-in', () => {
  test('goes on with a refresh, each token of which works once', async () => {
    const { access, refresh } = await signedUp()
    const next = await post('/refresh', { refresh_token: refresh })
    expect(next).toMatchObject({ status: 200 })
    const fresh = tokensOf(next.body)
    expect(await me(access)).toMatchObject({ status: 200 })
    expect(await me(fresh.access)).toMatchObject({ status: 200 })
    // Whoever presents the old one again ends the whole of it.
    expect(await post('/refresh', { refresh_token: refresh })).toMatchObject(
      refused(401, 'refresh_token_already_used'),
    )
    for (const token of [access, fresh.access]) {
      expect(await me(token)).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
    }
    expect(await post('/refresh', { refresh_token: fresh.refresh })).toMatchObject(
      refused(401, 'session_token_revoked'),
    )
  })

  test('that is refreshed by several at once goes to none of them', async () => {
    const { refresh } = await signedUp()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post('/refresh', { refresh_token: refresh })),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    const { access } = tokensOf(won[0]?.body)
    expect(await me(access)).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
  })

  test('ends by itself: the access token after an hour, the whole of it after ninety days', async () => {
    const person = await signedUp()
    pass(3_601_000)
    expect(await me(person.access)).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
    expect(await ask('GET', '/auth/user', undefined, person.access)).toMatchObject(
      refused(401, 'session_token_revoked'),
    )
    let { refresh } = person
    for (const days of [29, 29, 29]) {
      pass(days * 86_400_000)
      refresh = tokensOf((await post('/refresh', { refresh_token: refresh })).body).refresh
    }
    pass(4 * 86_400_000)
    expect(await post('/refresh', { refresh_token: refresh })).toMatchObject(
      refused(401, 'session_token_revoked'),
    )
  })

  test.each([
    ['local', false, true],
    ['others', true, false],
    ['global', false, false],
  ])('signed out with scope %s', async (scope, here, there) => {
    const one = await signedUp()
    const two = tokensOf((await signIn(one.email)).body)
    expect(await post('/sign-out', { scope }, one.access)).toMatchObject({ status: 204 })
    expect((await me(one.access)).status).toBe(here ? 200 : 401)
    expect((await me(two.access)).status).toBe(there ? 200 : 401)
    expect((await post('/refresh', { refresh_token: two.refresh })).status).toBe(there ? 200 : 401)
  })

  test('signed out without a body', async () => {
    const { access } = await signedUp()
    expect(await ask('POST', '/auth/sign-out', undefined, access)).toMatchObject({ status: 204 })
    expect(await me(access)).toMatchObject({ status: 401 })
  })

  test.each(['refresh', 'link'])('its %s token is no bearer token', async (kind) => {
    const email = newEmail()
    await post('/signup', { email, password })
    const { link_token } = await mailTo(email)
    const verified = await post('/verify-otp', { type: 'signup', email, token: (await mailTo(email)).code })
    const token = kind === 'link' ? link_token : tokensOf(verified.body).refresh
    expect(await me(token)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect(await post('/refresh', { refresh_token: tokensOf(verified.body).access })).toMatchObject(
      refused(401, 'refresh_token_not_found'),
    )
  })
})

describe('a password', () => {
  test('is reset by mail, which ends the sign-ins that were', async () => {
    const { email, access } = await signedUp()
    await post('/password/reset', { email })
    const { code } = await mailTo(email, 'Set a new password')
    const fresh = 'another horse battery'
    expect(await post('/password/reset', { email, token: code, password: 'short' })).toMatchObject(
      refused(422, 'weak_password'),
    )
    const reset = await post('/password/reset', { email, token: code, password: fresh })
    expect(reset).toMatchObject({ status: 200, body: { user: { email } } })
    expect(await me(access)).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
    expect(await me(tokensOf(reset.body).access)).toMatchObject({ status: 200 })
    expect(await signIn(email)).toMatchObject(refused(401, 'invalid_credentials'))
    expect(await signIn(email, { password: fresh })).toMatchObject({ status: 200 })
    await mailTo(email, 'Your password was changed')
  })

  test('is changed by whoever knows it, and the others are signed out', async () => {
    const { email, access } = await signedUp()
    const other = tokensOf((await signIn(email)).body)
    const change = (current_password?: string) =>
      ask(
        'PATCH',
        '/auth/user',
        { password: 'another horse battery', ...(current_password && { current_password }) },
        access,
      )
    for (const wrong of [undefined, 'wrong horse battery']) {
      expect(await change(wrong)).toMatchObject(refused(401, 'invalid_credentials'))
    }
    expect(await change(password)).toMatchObject({ status: 200 })
    expect((await me(access)).status).toBe(200)
    expect((await me(other.access)).status).toBe(401)
  })

  test('is guessed ten times from one address and then not even taken when right', async () => {
    const { email } = await signedUp()
    for (let n = 0; n < 10; n++) {
      expect(await signIn(email, { password: `wrong horse ${n}` })).toMatchObject(
        refused(401, 'invalid_credentials'),
      )
    }
    const over = await signIn(email)
    expect(over).toMatchObject(refused(429, 'over_request_rate_limit'))
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    address = '203.0.113.200'
    expect(await signIn(email)).toMatchObject({ status: 200 })
  })
})

describe('two-factor', () => {
  test('asks for a code of the app at every way in, and takes each once', async () => {
    const person = await signedUp()
    const other = tokensOf((await signIn(person.email)).body)
    const { secret } = await withTotp(person)
    expect((await me(other.access)).status).toBe(401)
    expect(await ask('GET', '/auth/user', undefined, person.access)).toMatchObject({
      body: { user: { two_factor: true } },
    })
    expect(await signIn(person.email)).toMatchObject(refused(401, 'totp_required'))
    const code = totpCode(secret)
    expect(await signIn(person.email, { totp_code: code })).toMatchObject({ status: 200 })
    expect(await signIn(person.email, { totp_code: code })).toMatchObject(refused(401, 'invalid_credentials'))
    expect(await signIn(person.email, { password: 'wrong horse battery', totp_code: code })).toMatchObject({
      status: 401,
    })

    await post('/sign-in/magic-link', { email: person.email })
    const sent = await mailTo(person.email, 'Sign in')
    const link = { type: 'magic_link', email: person.email, token: sent.code }
    expect(await post('/verify-otp', link)).toMatchObject(refused(401, 'totp_required'))
    pass(30_000)
    expect(await post('/verify-otp', { ...link, totp_code: totpCode(secret) })).toMatchObject({ status: 200 })

    await post('/password/reset', { email: person.email })
    const recovery = await mailTo(person.email, 'Set a new password')
    const reset = { email: person.email, token: recovery.code, password: 'another horse battery' }
    expect(await post('/password/reset', reset)).toMatchObject(refused(401, 'totp_required'))
    pass(30_000)
    expect(await post('/password/reset', { ...reset, totp_code: totpCode(secret) })).toMatchObject({
      status: 200,
    })
  })

  test('a recovery code works once, also in small letters', async () => {
    const person = await signedUp()
    const { codes } = await withTotp(person)
    expect(new Set(codes).size).toBe(10)
    const totp_code = (codes[3] ?? '').toLowerCase()
    const uses = await Promise.all([1, 2].map(() => signIn(person.email, { totp_code })))
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('is turned off with a code, not by a minted token, and on with the password', async () => {
    const person = await signedUp()
    const minted = await ask('POST', '/accounts/tokens', { name: 'x' }, person.access)
    const pat = pick(minted.body, 'token')
    expect(await post('/totp', { password }, pat)).toMatchObject(refused(403, 'forbidden'))
    expect(await post('/totp', {}, person.access)).toMatchObject(refused(401, 'invalid_credentials'))
    expect(await post('/totp/confirm', { code: '123456' }, person.access)).toMatchObject(
      refused(409, 'conflict'),
    )
    const { secret } = await withTotp(person)
    expect(await post('/totp', { password }, person.access)).toMatchObject(refused(409, 'conflict'))
    expect(await post('/totp/disable', { code: 'AAAA-BBBB' }, person.access)).toMatchObject(
      refused(401, 'invalid_credentials'),
    )
    expect(await post('/totp/disable', { code: totpCode(secret) }, person.access)).toMatchObject({
      status: 204,
    })
    expect(await signIn(person.email)).toMatchObject({ status: 200 })
  })

  test('is guessed ten times an hour at most', async () => {
    const person = await signedUp()
    const { secret } = await withTotp(person)
    const wrong = totpCode(secret) === '111111' ? '222222' : '111111'
    for (let n = 0; n < 10; n++) {
      address = `203.0.113.${n}`
      expect(await signIn(person.email, { totp_code: wrong })).toMatchObject(
        refused(401, 'invalid_credentials'),
      )
    }
    expect(await signIn(person.email, { totp_code: totpCode(secret) })).toMatchObject(
      refused(429, 'over_request_rate_limit'),
    )
  })

  test('an account that asks for it is closed to sign-ins that lacked it', async () => {
    const person = await signedUp()
    const account_id = pick((await me(person.access)).body, 'account_id')
    const rules = `/accounts/${account_id}/sign-in-rules`
    const project = await ask('POST', '/projects/provision', { name: 'Safe' }, person.access)
    const project_id = pick(project.body, 'project_id')
    expect(await ask('PUT', rules, { mfa_required: true }, person.access)).toMatchObject({ status: 409 })
    await platform.database.db
      .updateTable('accounts')
      .set({ mfa_required: true })
      .where('account_id', '=', account_id)
      .execute()

    const required = { status: 403, body: { error: true, code: 'account_mfa_required' } }
    const asks: readonly [string, string, unknown?][] = [
      ['GET', rules],
      ['GET', `/accounts/${account_id}/members`],
      ['GET', `/projects/${project_id}`],
      ['GET', `/projects/${project_id}/sessions`],
      ['POST', '/projects/provision', { name: 'More' }],
      ['POST', '/accounts/tokens', { name: 'way out' }],
    ]
    for (const [method, path, json] of asks) {
      expect(await ask(method, path, json, person.access), path).toMatchObject(required)
    }
    expect(await ask('GET', '/projects', undefined, person.access)).toMatchObject({
      status: 200,
      body: [],
    })
    // The way in stays open: whoever turns it on is let in at once.
    const { secret } = await withTotp(person)
    for (const [method, path] of asks.filter(([method]) => method === 'GET')) {
      expect((await ask(method, path, undefined, person.access)).status, path).toBe(200)
    }
    const again = await signIn(person.email, { totp_code: totpCode(secret) })
    expect(await ask('PUT', rules, { mfa_required: false }, tokensOf(again.body).access)).toMatchObject({
      status: 200,
    })
  })
})

test('what happened stands in the log of the person, and no secret in it', async () => {
  const person = await signedUp()
  const account_id = pick((await me(person.access)).body, 'account_id')
  await signIn(person.email, { password: 'wrong horse battery' })
  await post('/refresh', { refresh_token: person.refresh })
  await post('/refresh', { refresh_token: person.refresh })
  const events = () =>
    platform.database.db
      .selectFrom('audit_events')
      .select(['action', 'outcome', 'ip'])
      .where('account_id', '=', account_id)
      .orderBy('seq')
      .execute()
  await expect
    .poll(async () => (await events()).map(({ action, outcome }) => `${action} ${outcome}`).sort())
    .toEqual([
      'refreshSignIn denied',
      'refreshSignIn success',
      'signInWithPassword denied',
      'verifyOtp success',
    ])
  expect((await events()).every(({ ip }) => ip === address)).toBe(true)
})

test.each([
  ['POST', '/auth/sign-in/password', { email: 'no address', password }, 400, 'invalid_request'],
  ['POST', '/auth/sign-in/password', { email: 'a@example.com', password, extra: 1 }, 400, 'invalid_request'],
  [
    'POST',
    '/auth/verify-otp',
    { type: 'recovery', email: 'a@example.com', token: '1' },
    400,
    'invalid_request',
  ],
  ['POST', '/auth/refresh', { refresh_token: 'svc_urt_x' }, 401, 'refresh_token_not_found'],
  ['GET', '/auth/user', undefined, 401, 'unauthorized'],
  ['POST', '/auth/sign-out', {}, 401, 'unauthorized'],
  ['POST', '/auth/totp', {}, 401, 'unauthorized'],
])('%s %s with %o is %i %s, in the shape of the sign-in', async (method, path, json, status, error) => {
  const answer = await ask(method, path, json)
  expect(answer).toMatchObject({ status })
  expect(answer.body).toEqual({ error, error_description: expect.any(String) })
  expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
})

test('thirty requests a minute from one address', async () => {
  for (let n = 0; n < 30; n++) expect((await post('/refresh', { refresh_token: 'x' })).status).toBe(401)
  const over = await post('/refresh', { refresh_token: 'x' })
  expect(over).toMatchObject(refused(429, 'over_request_rate_limit'))
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
  expect([...over.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
})

test('a dump of the database holds no usable secret', async () => {
  const { db } = platform.database
  const tables = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const dump: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql<{
      row: string
    }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(db)
    dump.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  const text = dump.join('\n')
  expect(text).toContain('sign_in_codes')
  expect(text).toContain('user_totp')
  expect(secrets.size).toBeGreaterThan(50)
  for (const secret of secrets) {
    expect(text.includes(secret), `${secret.slice(0, 8)}… is in the dump`).toBe(false)
    const hex = Buffer.from(secret).toString('hex')
    expect(text.includes(hex)).toBe(false)
  }
  // A short code is not found by trying them all: its hash has a key.
  for (const secret of secrets) {
    if (!/^\d{8}$/.test(secret)) continue
    expect(text).not.toContain(createHash('sha256').update(secret).digest('hex'))
  }
  expect(platform.lines.join('\n')).not.toMatch(/svc_(usr|urt|lnk)_/)
})
