import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { accounts, scimUsers, userCredentials } from '@svc/db'
import { createSsoProviders, type Mail } from '@svc/services'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trustedProxies } from '../src/middleware/client-address.ts'
import { pick, type TestPlatform, testPlatform } from './support/platform.ts'

interface Account {
  readonly email: string
  readonly email_verified: boolean
}

const known = new Map<string, Account>()
const mails: Mail[] = []
const client = { client_id: 'svc', client_secret: randomBytes(24).toString('hex') }
const servers: Server[] = []
let platform: TestPlatform
let origin: string
let issuer: string
let signUpSwitch: 'open' | 'invited' = 'open'
let sign_in_url: string | undefined

async function listen(): Promise<{ origin: string; serve: (listener: RequestListener) => void }> {
  const server = createServer()
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    serve: (listener) => void server.on('request', listener),
  }
}

beforeAll(async () => {
  const [api, op] = [await listen(), await listen()]
  origin = api.origin
  issuer = op.origin
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [`${origin}/v1/auth/sso/acme/callback`] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    findAccount: (_, id) => {
      const account = known.get(id)
      return account && { accountId: id, claims: () => ({ sub: id, name: 'Ada', ...account }) }
    },
  })
  op.serve(provider.callback())
  platform = await testPlatform({
    is_proxy: trustedProxies(['127.0.0.1']),
    sso: createSsoProviders([{ name: 'acme', issuer, ...client }]),
    mail: { send: async (mail) => void mails.push(mail), close: async () => {} },
    settings: {
      api_url: `${origin}/v1`,
      llm_base_url: null,
      session_cap: null,
      idle_after_seconds: 900,
      trigger_idle_after_seconds: 300,
      ask_timeout_seconds: 1800,
      get sign_up() {
        return signUpSwitch
      },
      get sign_in_url() {
        return sign_in_url
      },
    },
  })
  api.serve((req, res) => void platform.api.handle(req, res))
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await platform.close()
})

let clients = 0

/** A browser with its cookies, and an address of its own. */
function newBrowser() {
  const jar = new Map<string, Map<string, string>>()
  const address = `198.51.100.${++clients}`
  return {
    jar,
    async open(url: string, form?: Record<string, string>): Promise<Response> {
      const cookies = jar.get(new URL(url).origin) ?? new Map<string, string>()
      jar.set(new URL(url).origin, cookies)
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: {
          cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
          'x-forwarded-for': address,
        },
        ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0|expires=thu, 01 jan 1970/i.test(line) || value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
  }
}

type Browser = ReturnType<typeof newBrowser>

/** Signs in at the provider and stops before the browser goes back. */
async function untilCallback(browser: Browser, login: string): Promise<string> {
  let answer = await browser.open(`${origin}/v1/auth/sso/acme`)
  expect(answer.status).toBe(302)
  for (let hops = 0; hops < 20; hops++) {
    const next = answer.headers.get('location')
    if (next?.startsWith(`${origin}/v1/auth/sso/acme/callback`)) return next
    if (next !== null) {
      answer = await browser.open(new URL(next, issuer).href)
      continue
    }
    const page = await answer.text()
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
    expect(action, page).not.toBe('')
    answer = await browser.open(new URL(action, issuer).href, { prompt, login, password: 'x' })
  }
  throw new Error('The provider did not send the browser back')
}

async function finish(browser: Browser, login: string) {
  const answer = await browser.open(await untilCallback(browser, login))
  const text = await answer.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  return { status: answer.status, location: answer.headers.get('location'), body }
}

function newAccount(email_verified = true, email = `${randomUUID()}@example.com`) {
  const login = randomUUID()
  known.set(login, { email, email_verified })
  return { login, email }
}

async function exchange(link_token: string) {
  const json = { type: 'sso', link_token }
  return platform.call('/v1/auth/verify-otp', { method: 'POST', json })
}

test('the list names the providers, and another name is not found', async () => {
  const { body } = await platform.call('/v1/auth/sso')
  expect(body).toEqual({
    providers: [{ name: 'acme', url: `${origin}/v1/auth/sso/acme` }],
    enforced: false,
  })
  expect(await platform.call('/v1/auth/sso/other')).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
})

test('the way there carries PKCE, state and nonce, and a cookie that tells nothing', async () => {
  const browser = newBrowser()
  const answer = await browser.open(`${origin}/v1/auth/sso/acme`)
  const { searchParams } = new URL(answer.headers.get('location') ?? '')
  expect(searchParams.get('code_challenge_method')).toBe('S256')
  for (const name of ['code_challenge', 'state', 'nonce'])
    expect(searchParams.get(name)).toMatch(/^[\w-]{43,}$/)
  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/^svc_sso=.*; Path=\/v1\/auth\/sso; HttpOnly; SameSite=Lax$/)
  expect(cookie).not.toContain(searchParams.get('state'))
})

test('a verified address becomes a person, who comes back as the same one', async () => {
  const { login, email } = newAccount()
  const first = await finish(newBrowser(), login)
  expect(first, JSON.stringify(first.body)).toMatchObject({ status: 200, body: { type: 'sso' } })
  const signedIn = await exchange(pick(first.body, 'link_token'))
  expect(signedIn).toMatchObject({
    status: 200,
    body: { user: { email, name: 'Ada', email_verified: true } },
  })
  expect(await exchange(pick(first.body, 'link_token'))).toMatchObject({
    status: 401,
    body: { error: 'otp_expired' },
  })
  // The provider's name for somebody stays when the address there changes.
  known.set(login, { email: `${randomUUID()}@example.com`, email_verified: true })
  const again = await exchange(pick((await finish(newBrowser(), login)).body, 'link_token'))
  expect(again.pick('user.user_id')).toBe(signedIn.pick('user.user_id'))
  expect(again).toMatchObject({ body: { user: { email } } })
})

test('the operator’s page gets the token behind #', async () => {
  sign_in_url = 'https://app.example.com/sign-in'
  const { login } = newAccount()
  const { status, location } = await finish(newBrowser(), login)
  sign_in_url = undefined
  expect(status).toBe(303)
  expect(location).toMatch(/^https:\/\/app\.example\.com\/sign-in#type=sso&token=svc_lnk_/)
})

test('an address that the provider has not verified signs nobody in', async () => {
  const { login } = newAccount(false)
  expect(await finish(newBrowser(), login)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
})

test('a person is linked by an address that both sides have verified, and by no other', async () => {
  const [user_id, created_at] = [randomUUID(), new Date()]
  const { login, email } = newAccount()
  const user = { user_id, email, name: 'Ada', created_at }
  const account = { account_id: randomUUID(), name: 'Ada', tier: 'free', created_at } as const
  await accounts.createWithOwner(platform.parts.db, account, user)
  expect(await finish(newBrowser(), login)).toMatchObject({ status: 409, body: { error: 'conflict' } })
  await platform.call('/v1/auth/sign-in/magic-link', { method: 'POST', json: { email } })
  await expect.poll(() => mails.some(({ to }) => to === email)).toBe(true)
  const token = (
    /code is (\d{4} \d{4})/.exec(mails.find(({ to }) => to === email)?.text ?? '')?.[1] ?? ''
  ).replace(' ', '')
  await platform.call('/v1/auth/verify-otp', { method: 'POST', json: { type: 'magic_link', email, token } })
  const linked = await exchange(pick((await finish(newBrowser(), login)).body, 'link_token'))
  expect(linked.pick('user.user_id')).toBe(user_id)
})

test('a person whom a directory made comes in at their first time, but not once somebody set a password', async () => {
  const { db } = platform.parts
  const [account_id, now] = [
    (await platform.call('/v1/accounts/me', { token: platform.owner.token })).pick('account_id'),
    new Date(),
  ]
  const make = async (email: string) => {
    const user_id = randomUUID()
    await accounts.insertUser(db, { user_id, email, name: 'Ada', created_at: now })
    await scimUsers.put(db, { account_id, user_id, user_name: email, external_id: null, attributes: {} }, now)
    await scimUsers.markMade(db, { account_id, user_id })
    return user_id
  }
  const [ada, eve] = [newAccount(), newAccount()]
  const user_id = await make(ada.email)
  const signedIn = await exchange(pick((await finish(newBrowser(), ada.login)).body, 'link_token'))
  expect(signedIn).toMatchObject({ status: 200, body: { user: { user_id, email_verified: true } } })
  await userCredentials.setPassword(db, await make(eve.email), '$argon2id$x', now)
  expect(await finish(newBrowser(), eve.login)).toMatchObject({ status: 409, body: { error: 'conflict' } })
})

test('sign-up by invitation holds here as well', async () => {
  signUpSwitch = 'invited'
  const { login } = newAccount()
  expect(await finish(newBrowser(), login)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  signUpSwitch = 'open'
})

test('what comes back in another browser, changed, or twice signs nobody in', async () => {
  const { login } = newAccount()
  const browser = newBrowser()
  const callback = await untilCallback(browser, login)
  const stranger = await newBrowser().open(callback)
  expect(stranger.status).toBe(401)
  expect(await stranger.json()).toMatchObject({ error: 'otp_expired' })
  const other = newBrowser()
  await other.open(`${origin}/v1/auth/sso/acme`)
  expect((await other.open(callback)).status).toBe(401)
  const changed = new URL(callback)
  changed.searchParams.set('state', 'x'.repeat(43))
  const cookies = new Map(browser.jar.get(origin))
  expect((await browser.open(changed.href)).status).toBe(401)
  browser.jar.set(origin, new Map(cookies))
  expect((await browser.open(callback)).status).toBe(200)
  browser.jar.set(origin, new Map(cookies))
  expect((await browser.open(callback)).status).toBe(401)
})
