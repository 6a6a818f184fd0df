import { randomUUID } from 'node:crypto'
import { accounts, scimUsers, userCredentials } from '@svc/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pick } from '../support/platform.ts'
import { newBrowser, type SsoPlatform, ssoPlatform } from '../support/sso.ts'

let sso: SsoPlatform
beforeAll(async () => {
  sso = await ssoPlatform()
})
afterAll(() => sso.close())

test('the list names the providers, and another name is not found', async () => {
  const { body } = await sso.platform.call('/v1/auth/sso')
  expect(body).toEqual({
    providers: [{ name: 'acme', url: `${sso.origin}/v1/auth/sso/acme` }],
    enforced: false,
  })
  expect(await sso.platform.call('/v1/auth/sso/other')).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
})

test('the way there carries PKCE, state and nonce, and a cookie that tells nothing', async () => {
  const browser = newBrowser()
  const answer = await browser.open(`${sso.origin}/v1/auth/sso/acme`)
  const { searchParams } = new URL(answer.headers.get('location') ?? '')
  expect(searchParams.get('code_challenge_method')).toBe('S256')
  for (const name of ['code_challenge', 'state', 'nonce'])
    expect(searchParams.get(name)).toMatch(/^[\w-]{43,}$/)
  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/^svc_sso=.*; Path=\/v1\/auth\/sso; HttpOnly; SameSite=Lax$/)
  expect(cookie).not.toContain(searchParams.get('state'))
})

test('a verified address becomes a person, who comes back as the same one', async () => {
  const { login, email } = sso.newAccount()
  const first = await sso.finish(newBrowser(), login)
  expect(first, JSON.stringify(first.body)).toMatchObject({ status: 200, body: { type: 'sso' } })
  const signedIn = await sso.exchange(pick(first.body, 'link_token'))
  expect(signedIn).toMatchObject({
    status: 200,
    body: { user: { email, name: 'Ada', email_verified: true } },
  })
  expect(await sso.exchange(pick(first.body, 'link_token'))).toMatchObject({
    status: 401,
    body: { error: 'otp_expired' },
  })
  // The provider's name for a person stays when the address there changes.
  sso.known.set(login, { email: `${randomUUID()}@example.com`, email_verified: true })
  const again = await sso.exchange(pick((await sso.finish(newBrowser(), login)).body, 'link_token'))
  expect(again.pick('user.user_id')).toBe(signedIn.pick('user.user_id'))
  expect(again).toMatchObject({ body: { user: { email } } })
})

test('the operator’s page gets the token behind #', async () => {
  sso.switches.sign_in_url = 'https://app.example.com/sign-in'
  const { login } = sso.newAccount()
  const { status, location } = await sso.finish(newBrowser(), login)
  sso.switches.sign_in_url = undefined
  expect(status).toBe(303)
  expect(location).toMatch(/^https:\/\/app\.example\.com\/sign-in#type=sso&token=svc_lnk_/)
})

test('an address that the provider has not verified signs nobody in', async () => {
  const { login } = sso.newAccount(false)
  expect(await sso.finish(newBrowser(), login)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
})

test('a person is linked by an address that both sides have verified, and by no other', async () => {
  const [user_id, created_at] = [randomUUID(), new Date()]
  const { login, email } = sso.newAccount()
  const user = { user_id, email, name: 'Ada', created_at }
  const account = { account_id: randomUUID(), name: 'Ada', tier: 'free', created_at } as const
  await accounts.createWithOwner(sso.platform.parts.db, account, user)
  expect(await sso.finish(newBrowser(), login)).toMatchObject({ status: 409, body: { error: 'conflict' } })
  await sso.platform.call('/v1/auth/sign-in/magic-link', { method: 'POST', json: { email } })
  await expect.poll(() => sso.mails.some(({ to }) => to === email)).toBe(true)
  const token = (
    /code is (\d{4} \d{4})/.exec(sso.mails.find(({ to }) => to === email)?.text ?? '')?.[1] ?? ''
  ).replace(' ', '')
  await sso.platform.call('/v1/auth/verify-otp', {
    method: 'POST',
    json: { type: 'magic_link', email, token },
  })
  const linked = await sso.exchange(pick((await sso.finish(newBrowser(), login)).body, 'link_token'))
  expect(linked.pick('user.user_id')).toBe(user_id)
})

test('a person whom a directory made comes in at their first time, but not once somebody set a password', async () => {
  const { db } = sso.platform.parts
  const [account_id, now] = [
    (await sso.platform.call('/v1/accounts/me', { token: sso.platform.owner.token })).pick('account_id'),
    new Date(),
  ]
  const make = async (email: string) => {
    const user_id = randomUUID()
    await accounts.insertUser(db, { user_id, email, name: 'Ada', created_at: now })
    await scimUsers.put(db, { account_id, user_id, user_name: email, external_id: null, attributes: {} }, now)
    await scimUsers.markMade(db, { account_id, user_id })
    return user_id
  }
  const [ada, eve] = [sso.newAccount(), sso.newAccount()]
  const user_id = await make(ada.email)
  const signedIn = await sso.exchange(pick((await sso.finish(newBrowser(), ada.login)).body, 'link_token'))
  expect(signedIn).toMatchObject({ status: 200, body: { user: { user_id, email_verified: true } } })
  await userCredentials.setPassword(db, await make(eve.email), '$argon2id$x', now)
  expect(await sso.finish(newBrowser(), eve.login)).toMatchObject({
    status: 409,
    body: { error: 'conflict' },
  })
})

test('sign-up by invitation holds here as well', async () => {
  sso.switches.sign_up = 'invited'
  const { login } = sso.newAccount()
  expect(await sso.finish(newBrowser(), login)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  sso.switches.sign_up = 'open'
})

test('what comes back in another browser, changed, or twice signs nobody in', async () => {
  const { login } = sso.newAccount()
  const browser = newBrowser()
  const callback = await sso.untilCallback(browser, login)
  const stranger = await newBrowser().open(callback)
  expect(stranger.status).toBe(401)
  expect(await stranger.json()).toMatchObject({ error: 'otp_expired' })
  const other = newBrowser()
  await other.open(`${sso.origin}/v1/auth/sso/acme`)
  expect((await other.open(callback)).status).toBe(401)
  const changed = new URL(callback)
  changed.searchParams.set('state', 'x'.repeat(43))
  const cookies = new Map(browser.jar.get(sso.origin))
  expect((await browser.open(changed.href)).status).toBe(401)
  browser.jar.set(sso.origin, new Map(cookies))
  expect((await browser.open(callback)).status).toBe(200)
  browser.jar.set(sso.origin, new Map(cookies))
  expect((await browser.open(callback)).status).toBe(401)
})
