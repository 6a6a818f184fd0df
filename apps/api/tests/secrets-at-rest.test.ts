import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { dumpTables } from '@svc/db/testing'
import type { Mail } from '@svc/identity'
import { rewrapDataKeys } from '@svc/platform'
import { createMemoryProvider } from '@svc/sandbox/providers'
import { provisionSandbox } from '@svc/services'
import { createVault } from '@svc/vault'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sealedPlaces } from '../src/sealed-places.ts'
import { slackCredentials } from './support/mutations/a-channel.ts'
import { Browser } from './support/browser.ts'
import { type OAuthPlatform, oauthPlatform } from './support/oauth.ts'
import { type Answer, type CallOptions, pick } from './support/platform.ts'
import { fakeDaemon } from './support/sandbox.ts'
import { stubIssuer } from './support/stub-issuer.ts'
import { digestsOf, formsOf } from './support/secret-forms.ts'

/** Everything that was ever handed out or given, by what it is. */
const minted = new Map<string, string>()
/** Secrets that are short enough to be found by trying. */
const short = new Map<string, string>()
const mails: Mail[] = []
const master = randomBytes(32)
const canary = `canary-${randomUUID()}`
let platform: OAuthPlatform
let project_id: string

beforeAll(async () => {
  platform = await oauthPlatform({
    vault: createVault(master, { key_id: 'first' }),
    mail: { send: async (mail) => void mails.push(mail), close: async () => {} },
  })
  await mintEverything()
})
afterAll(() => platform.close())

async function ask(what: string, path: string, { json = {}, ...options }: CallOptions = {}): Promise<Answer> {
  const { owner, call } = platform
  const body = options.method === 'GET' ? {} : { json }
  const answer = await call(path, { token: owner.token, method: 'POST', ...body, ...options })
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(300)
  return answer
}

function note(what: string, value: string): string {
  expect(value.length, what).toBeGreaterThan(5)
  minted.set(what, value)
  return value
}

/** The code of the next mail that has one, and its link where it has one as well. */
async function mailed(type: string): Promise<string> {
  const codes = () => mails.filter(({ text = '' }) => /code is \d/.test(text))
  await vi.waitFor(() => expect(codes()).toHaveLength(short.size + 1), 180_000)
  const text = codes().at(-1)?.text ?? ''
  const code = (/code is (\d{4} \d{4})/.exec(text)?.[1] ?? '').replace(' ', '')
  short.set(`the code of ${type}`, note(`the code of ${type}`, code))
  const link = /&token=(\S+)/.exec(text)?.[1]
  if (link !== undefined) note(`the link of ${type}`, link)
  return code
}

async function mintEverything(): Promise<void> {
  const { owner } = platform
  note('the owner’s token', owner.token)
  const account = `/v1/accounts/${(await ask('me', '/v1/accounts/me', { method: 'GET' })).pick('account_id')}`
  const provisioned = await ask('a project', '/v1/projects/provision', { json: { name: canary } })
  project_id = provisioned.pick('project_id')
  note('the push token', provisioned.pick('push_token'))
  const project = `/v1/projects/${project_id}`

  await mintKeys(account, project)
  await storeSecrets(project)
  await subscribe(project)
  await ask('the key of pushes', '/v1/notifications/push-key', { method: 'GET' })
  await setProvider(account)
  await signIn(account)
  await approveApp()
  await runSession(project)
  await misplace(project)
}

async function mintKeys(account: string, project: string): Promise<void> {
  const json = { name: 'a key' }
  const mint = async (what: string, path: string) =>
    note(what, (await ask(what, path, { json })).pick('token'))
  await mint('a user token', '/v1/accounts/tokens')
  await mint('a project token', `${project}/cli-token`)
  await mint('a gateway key', `${project}/gateway-keys`)
  await mint('a SCIM token', `${account}/scim-tokens`)
  const robot = (await ask('a service account', `${account}/service-accounts`, { json })).pick(
    'service_account_id',
  )
  await mint('a service account key', `${account}/service-accounts/${robot}/keys`)
}

async function storeSecrets(project: string): Promise<void> {
  const set = (what: string, path: string) =>
    ask(what, `${project}/${path}`, {
      method: 'PUT',
      json: { value: note(what, `${what} "quoted" ${randomBytes(24).toString('base64')}`) },
    })
  await set('a secret', 'secrets/A_SECRET')
  await set('a webhook secret', 'secrets/HOOK_SECRET')
  await set('a personal secret', 'personal-secrets/MINE')
}

async function subscribe(project: string): Promise<void> {
  const headers = { 'X-Key': note('a header of a subscription', randomBytes(24).toString('hex')) }
  const json = { url: 'https://8.8.8.8/svc', types: ['*'], headers }
  const made = await ask('a subscription', `${project}/event-subscriptions`, { json })
  note('the secret of a subscription', made.pick('secret'))
  const path = `${project}/event-subscriptions/${made.pick('subscription_id')}/rotate-secret`
  note('the next secret of a subscription', (await ask('a rotation', path)).pick('secret'))
  const credentials = slackCredentials()
  for (const [name, value] of Object.entries(credentials)) note(`the ${name} of a channel`, value)
  await ask('a channel', `${project}/channels`, { json: { platform: 'chat_a', credentials } })
}

async function setProvider(account: string): Promise<void> {
  const { issuer, close } = await stubIssuer()
  const client_secret = note('the secret of a provider', randomBytes(24).toString('base64url'))
  const json = { issuer, client_id: 'svc', client_secret }
  await ask('a provider', `${account}/sso`, { method: 'PUT', json })
  await close()
}

async function signIn(account: string): Promise<void> {
  const email = `${randomUUID()}@example.com`
  const invitation = await ask('an invitation', `${account}/invitations`, { json: { email, role: 'member' } })
  note('an invitation', invitation.pick('token'))
  const password = note('a password', `horse ${randomBytes(9).toString('hex')}`)
  const auth = (what: string, path: string, json: object, token?: string) =>
    ask(what, `/v1/auth${path}`, { json, ...(token === undefined ? {} : { token }) })
  const keep = (what: string, body: unknown) => {
    note(`the refresh token of ${what}`, pick(body, 'session.refresh_token'))
    return note(`the access token of ${what}`, pick(body, 'session.access_token'))
  }
  await auth('a sign-up', '/signup', { email, password })
  const token = await mailed('sign-up')
  const first = await auth('the confirmation', '/verify-otp', { type: 'signup', email, token })
  keep('a sign-up', first.body)
  const refresh_token = pick(first.body, 'session.refresh_token')
  const access = keep('a refresh', (await auth('a refresh', '/refresh', { refresh_token })).body)
  await auth('a magic link', '/sign-in/magic-link', { email })
  await mailed('magic link')
  await auth('a reset', '/password/reset', { email })
  await mailed('recovery')
  const seed = note('a TOTP seed', (await auth('two-factor', '/totp', { password }, access)).pick('secret'))
  const totp = new TOTP({ secret: Secret.fromBase32(seed) })
  const confirmed = await auth('its proof', '/totp/confirm', { code: totp.generate() }, access)
  const codes: string[] = Object(confirmed.body).recovery_codes
  for (const [index, code] of codes.entries()) note(`recovery code ${index}`, code)
  expect(codes).toHaveLength(10)
}

/** An app that registers itself and is approved with the owner's token; then a device. */
async function approveApp(): Promise<void> {
  const browser = new Browser(platform.origin)
  const send = async (path: string, body: URLSearchParams | string, type: string): Promise<unknown> => {
    const answer = await fetch(`${platform.origin}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': type, 'x-forwarded-for': browser.address },
    })
    const text = await answer.text()
    expect(answer.status, `${path}: ${text}`).toBeLessThan(300)
    return JSON.parse(text)
  }
  const form = (path: string, fields: Record<string, string>) =>
    send(path, new URLSearchParams(fields), 'application/x-www-form-urlencoded')
  const redirect_uri = 'http://127.0.0.1:4711/callback'
  const metadata = { client_name: 'App', redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' }
  const app = await send('/v1/oauth/register', JSON.stringify(metadata), 'application/json')
  const client_id = pick(app, 'client_id')
  const code_verifier = note('a PKCE verifier', randomBytes(32).toString('base64url'))
  const asked = new URLSearchParams({
    ...{ client_id, redirect_uri, response_type: 'code', scope: 'svc', state: 'state' },
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const page = await browser.open(`${platform.origin}/v1/oauth/authorize?${asked}`)
  const consent = await browser.submit(page, { step: 'token', token: platform.owner.token })
  const landed = new URL((await browser.submit(consent, { step: 'approve' })).url)
  const code = note('an authorization code', landed.searchParams.get('code') ?? '')
  const grant = { grant_type: 'authorization_code', client_id, code, redirect_uri, code_verifier }
  const tokens = await form('/v1/oauth/token', grant)
  note('an app’s access token', pick(tokens, 'access_token'))
  note('an app’s refresh token', pick(tokens, 'refresh_token'))
  // The id of the page is part of its address; the signature beside it is what counts.
  const inAddress = (cookie: string) => [page, consent].some(({ url }) => url.includes(cookie))
  const cookies = browser.cookies().filter((cookie) => cookie.length > 20 && !inAddress(cookie))
  expect(cookies.length).toBeGreaterThan(1)
  for (const [index, cookie] of cookies.entries()) note(`cookie ${index}`, cookie)
  const device = await form('/v1/auth/device', { client_id: 'svc-cli', scope: 'svc' })
  note('a device code', pick(device, 'device_code'))
  short.set('a user code', note('a user code', pick(device, 'user_code')))
}

async function runSession(project: string): Promise<void> {
  const { parts, database } = platform
  const daemon = await fakeDaemon((_, res) => res.end('{}'), 'tcp')
  try {
    const json = { metadata: { leak: Buffer.from(`${canary} in base64`).toString('base64') } }
    const session_id = (await ask('a session', `${project}/sessions`, { json })).pick('session_id')
    const headers = { 'x-provider-token': randomBytes(24).toString('hex') }
    note('a token of a provider', headers['x-provider-token'])
    const provider = createMemoryProvider({ endpoint: () => ({ ...daemon.endpoint, headers }) })
    const signal = new AbortController().signal
    await provisionSandbox({ ...parts, locks: database.db, signal, provider }, { session_id })
    const [sandbox] = provider.sandboxes.values()
    const { SVC_SANDBOX_TOKEN = '', SVC_CLI_TOKEN = '' } = sandbox?.environment ?? {}
    note('a sandbox key', SVC_SANDBOX_TOKEN)
    note('a session token', SVC_CLI_TOKEN)
    // The proxy signs a context with the key, and passes the caller's token by.
    const path = `/v1/p/${[...provider.sandboxes.keys()][0]}/8000/svc/runtime/state`
    await platform.call(path, { token: platform.owner.token })
  } finally {
    await daemon.close()
  }
}

/**
 * Credentials where they do not belong: the requests of a mistaken client are written down no more than those of a good
 * one.
 */
async function misplace(project: string): Promise<void> {
  const token = minted.get('a user token') ?? ''
  const hook = minted.get('a webhook secret') ?? ''
  const tries: [string, CallOptions][] = [
    [`/v1/projects?access_token=${token}`, {}],
    [`/v1/projects/${token}`, { token }],
    [`/v1/nowhere/${token}`, {}],
    ['/v1/projects', { headers: { authorization: `Token ${token}` } }],
    ['/v1/projects', { headers: { cookie: `token=${token}`, 'x-api-key': token } }],
    [`/v1/git/${project_id}.git/info/refs?service=git-upload-pack`, { headers: basic(token) }],
    [`${project}/secrets`, { method: 'POST', token, json: { name: 'SVC_X', value: hook } }],
    [`${project}/secrets/A-B`, { method: 'PUT', token, json: { value: hook } }],
    [`${project}/secrets`, { method: 'POST', token, body: `{ "value": "${token}`, headers: type }],
    [
      `/v1/webhooks/projects/${project_id}/hook`,
      { method: 'POST', json: {}, headers: { 'x-svc-token': hook } },
    ],
    ['/v1/auth/refresh', { method: 'POST', json: { refresh_token: token } }],
  ]
  for (const [path, options] of tries) await platform.call(path, options)
}

const type = { 'content-type': 'application/json' }
const basic = (token: string) => ({
  authorization: `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`,
})

/** Eight digits within more of them are part of a time or a number. */
function holds(text: string, form: string): boolean {
  return /^\d+$/.test(form) ? new RegExp(`(?<!\\d)${form}(?!\\d)`).test(text) : text.includes(form)
}

test('invariant 6: no table, log line or job holds anything that was minted, in any form', async () => {
  const places = await dumpTables(platform.database.db)
  places.set('the log', platform.lines.join('\n'))
  places.set('the jobs', JSON.stringify(platform.jobs))
  expect(minted.size).toBeGreaterThan(35)

  // The search finds what is there: a name in a table and in the log, a form of it in base64, a token's digest.
  const holders = (forms: readonly string[]) =>
    [...places].filter(([, text]) => forms.some((form) => holds(text, form))).map(([name]) => name)
  expect(holders(formsOf(canary))).toEqual(
    expect.arrayContaining(['public.projects', 'public.project_sessions']),
  )
  expect(holders(formsOf(project_id))).toEqual(expect.arrayContaining(['the log']))
  const digest = createHash('sha256').update(platform.owner.token).digest('hex')
  expect(holders([digest])).toEqual(['public.tokens'])

  const found = [...minted].flatMap(([what, value]) =>
    holders(formsOf(value)).map((place) => `${what}: ${place}`),
  )
  const tried = [...short].flatMap(([what, value]) =>
    holders(digestsOf(value)).map((place) => `${what}: ${place}`),
  )
  expect([...found, ...tried]).toEqual([])
})

test('a new master key takes over every data key that there is', async () => {
  const { db } = platform.database
  const vault = createVault(randomBytes(32), { key_id: 'second', others: { first: master } })
  expect(await rewrapDataKeys({ db, vault, places: sealedPlaces })).toMatchObject({ left: 0, unopenable: [] })
  const places = await dumpTables(platform.database.db)
  const sealedBy = (key_id: string) =>
    [...places]
      .filter(([, text]) => text.includes(`"k1.${key_id}.`))
      .map(([name]) => name)
      .sort()
  expect(sealedBy('first')).toEqual([])
  const known = sealedPlaces.map(({ table }) => `public.${table}`)
  // No sandbox waits here; its place is written by the same function that seals it.
  expect(sealedBy('second')).toEqual(known.filter((name) => name !== 'public.warm_sandboxes').sort())
})
