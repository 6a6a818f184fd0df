import { randomUUID } from 'node:crypto'
import type { Mail } from '@svc/identity'
import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { trustedProxies } from '@svc/platform/env'
import { pick, type TestPlatform, testPlatform } from '../support/platform.ts'
import { serve, type ServedApi } from '../support/serve.ts'

export const password = 'correct horse battery'
export const mails: Mail[] = []
/** Secrets that a dump of the database must not hold. */
export const secrets = new Set<string>([password, 'another horse battery'])
export const switches: { ahead: number; sign_up: 'open' | 'invited' } = { ahead: 0, sign_up: 'open' }
/** Every test is a client of its own, with a minute of its own. */
export const caller = { address: '' }
export let platform: TestPlatform
export let api: ServedApi

export async function start(): Promise<void> {
  platform = await testPlatform({
    is_proxy: trustedProxies(['127.0.0.1']),
    now: () => new Date(Date.now() + switches.ahead),
    mail: { send: async (mail) => void mails.push(mail), close: async () => {} },
    settings: {
      api_url: 'https://svc.example.com/v1',
      llm_base_url: null,
      session_cap: null,
      idle_after_seconds: 900,
      trigger_idle_after_seconds: 300,
      ask_timeout_seconds: 1800,
      get sign_up() {
        return switches.sign_up
      },
    },
  })
  api = await serve(platform)
}
export async function close(): Promise<void> {
  await api.close()
  await platform.close()
}

let addresses = 0
export function nextCaller(): void {
  caller.address = `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`
  switches.sign_up = 'open'
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export async function ask(method: string, path: string, json?: unknown, token?: string): Promise<Answer> {
  const answer = await fetch(`${api.origin}/v1${path}`, {
    method,
    headers: {
      'x-forwarded-for': caller.address,
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

export const post = (path: string, json: unknown, token?: string) => ask('POST', `/auth${path}`, json, token)

function remember(body: unknown): void {
  for (const [, secret = ''] of JSON.stringify(body).matchAll(/"(svc_(?:usr|urt|pat)_\w{49})"/g))
    secrets.add(secret)
}

export const newEmail = () => `${randomUUID()}@example.com`

/** The code and the link's token of the newest mail to an address. */
export async function mailTo(
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
export function pass(ms: number): void {
  switches.ahead += ms
}

export interface Person {
  readonly email: string
  readonly access: string
  readonly refresh: string
}

export function tokensOf(body: unknown) {
  return { access: pick(body, 'session.access_token'), refresh: pick(body, 'session.refresh_token') }
}

export async function signedUp(): Promise<Person> {
  const email = newEmail()
  expect(await post('/signup', { email, password })).toMatchObject({ status: 200 })
  const { code } = await mailTo(email)
  const verified = await post('/verify-otp', { type: 'signup', email, token: code })
  expect(verified, JSON.stringify(verified.body)).toMatchObject({ status: 200 })
  return { email, ...tokensOf(verified.body) }
}

export const signIn = (email: string, more: object = {}) =>
  post('/sign-in/password', { email, password, ...more })
export const me = (token: string) => ask('GET', '/accounts/me', undefined, token)
export const refused = (status: number, error: string) => ({
  status,
  body: { error, error_description: expect.any(String) },
})

export function totpCode(secret: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: Date.now() + switches.ahead + steps * 30_000 })
}

export async function withTotp(person: Person) {
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
