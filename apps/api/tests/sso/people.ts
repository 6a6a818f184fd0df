import { randomUUID } from 'node:crypto'
import { accountDomains, members } from '@svc/db'
import { Secret, TOTP } from 'otpauth'
import { afterAll, expect, vi } from 'vitest'
import { pick } from '../support/platform.ts'
import { client, newBrowser, ssoPlatform } from '../support/sso.ts'

export const password = 'correct horse battery'

export interface SignedUp {
  readonly user_id: string
  readonly email: string
  readonly access: string
}

/** An account with a proved domain, whose people sign up with passwords and come by its provider, for one test file. */
export async function openDomain() {
  const account_id = randomUUID()
  const domain = `${randomUUID()}.example`
  const sso = await ssoPlatform([account_id])
  afterAll(() => sso.close())
  const { db } = sso.platform.parts

  const ask = (method: string, path: string, json?: unknown, token?: string) =>
    sso.platform.call(`/v1${path}`, {
      method,
      ...(token === undefined ? {} : { token }),
      ...(json === undefined ? {} : { json }),
      headers: { 'x-forwarded-for': '192.0.2.1' },
    })
  const auth = (path: string, json: unknown, token?: string) => ask('POST', `/auth${path}`, json, token)

  async function codeFor(email: string, subject: string): Promise<string> {
    const find = () => sso.mails.findLast((mail) => mail.to === email && mail.subject === subject)
    await vi.waitFor(() => expect(find()).toBeDefined(), 180_000)
    return (/code is (\d{4} \d{4})/.exec(find()?.text ?? '')?.[1] ?? '').replace(' ', '')
  }

  /** A person with a password, and with a role in the account or none. */
  async function signedUp(role: 'owner' | 'member' | null, at = domain): Promise<SignedUp> {
    const email = `${randomUUID()}@${at}`
    await auth('/signup', { email, password })
    const token = await codeFor(email, 'Confirm your address')
    const verified = await auth('/verify-otp', { type: 'signup', email, token })
    expect(verified.status, verified.text).toBe(200)
    const user_id = verified.pick('user.user_id')
    if (role !== null) await members.add(db, { account_id, user_id, role, created_at: new Date() })
    return { user_id, email, access: verified.pick('session.access_token') }
  }

  /** Each code is taken once: the next one is of the next half minute. */
  function codeOf(app: TOTP): string {
    sso.switches.ahead += 30_000
    return app.generate({ timestamp: Date.now() + sso.switches.ahead })
  }

  async function withTotp({ access }: SignedUp): Promise<TOTP> {
    const secret = (await auth('/totp', { password }, access)).pick('secret')
    const app = new TOTP({ secret: Secret.fromBase32(secret) })
    const confirmed = await auth('/totp/confirm', { code: codeOf(app) }, access)
    expect(confirmed.status, confirmed.text).toBe(200)
    return app
  }

  async function bySso(email: string): Promise<string> {
    const { login } = sso.newAccount(true, email)
    const { body } = await sso.finish(newBrowser(), login, account_id)
    return (await sso.exchange(pick(body, 'link_token'))).pick('session.access_token')
  }

  const created_at = new Date()
  const account = { account_id, name: 'Acme', tier: 'enterprise', created_at } as const
  await db.insertInto('accounts').values(account).execute()
  const owner = await signedUp('owner')
  const claimed = { challenge: 'x', now: created_at, expires_at: new Date(Date.now() + 60_000) }
  await accountDomains.claim(db, { account_id, domain }, claimed)
  await accountDomains.prove(db, { account_id, domain }, new Date())

  return {
    sso,
    db,
    account_id,
    domain,
    owner,
    /** The owner's second factor. */
    totp: await withTotp(owner),
    /** The address at which a sign-in by the account's provider begins. */
    url: `${sso.origin}/v1/auth/sso/${account_id}`,
    ask,
    auth,
    enforce: (enforced: boolean) =>
      ask('PUT', `/accounts/${account_id}/sso`, { issuer: sso.issuer, ...client, enforced }, owner.access),
    codeFor,
    signedUp,
    withTotp,
    codeOf,
    bySso,
  }
}
