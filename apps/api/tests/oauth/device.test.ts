import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, type ShownPage } from '../support/browser.ts'
import { type OAuthPlatform, oauthPlatform } from '../support/oauth.ts'
import { pick } from '../support/platform.ts'

let platform: OAuthPlatform
let later = 0
beforeAll(async () => {
  platform = await oauthPlatform({ now: () => new Date(Date.now() + later) })
})
afterAll(() => platform.close())

const client_id = 'svc-cli'
const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'

interface Device {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly browser: Browser
}

async function post(path: string, fields: Record<string, string>, browser: Browser): Promise<unknown> {
  const headers = { 'x-forwarded-for': browser.address }
  const body = new URLSearchParams(fields)
  return (await fetch(`${platform.origin}${path}`, { method: 'POST', headers, body })).json()
}

async function newDevice(): Promise<Device> {
  const browser = new Browser(platform.origin)
  const body = await post('/v1/auth/device', { client_id, scope: 'svc' }, browser)
  expect(body).toMatchObject({ expires_in: 600, interval: 5 })
  const [device_code, user_code] = [pick(body, 'device_code'), pick(body, 'user_code')]
  expect(user_code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/)
  return { device_code, user_code, verification_uri: pick(body, 'verification_uri'), browser }
}

/** Asks as a device does, as much later as it waits. */
async function poll({ device_code, browser }: Device, seconds: number): Promise<unknown> {
  later += seconds * 1000
  return post('/v1/oauth/token', { grant_type, client_id, device_code }, browser)
}

async function typeCode({ verification_uri, user_code, browser }: Device): Promise<ShownPage> {
  return browser.submit(await browser.open(verification_uri), { user_code: user_code.toLowerCase() })
}

/** The page after the person confirmed the code and signed in. */
async function reachConsent(device: Device): Promise<ShownPage> {
  const { browser } = device
  const confirm = await typeCode(device)
  expect(confirm.text).toContain(device.user_code)
  expect(confirm.text).toContain('The svc command line')
  const signIn = await browser.submit(confirm, { confirm: 'yes' })
  return browser.submit(signIn, { step: 'token', token: platform.owner.token })
}

describe('a device', () => {
  test('waits, and is the person who typed its code and allowed it', async () => {
    const device = await newDevice()
    expect(await poll(device, 0)).toMatchObject({ error: 'authorization_pending' })
    const consent = await reachConsent(device)
    expect(consent.text).toContain('on another device')
    expect(await poll(device, 6)).toMatchObject({ error: 'authorization_pending' })
    expect(await device.browser.submit(consent, { step: 'approve' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('Your device is signed in'),
    })
    const tokens = await poll(device, 6)
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'svc' })
    const authorization = `Bearer ${pick(tokens, 'access_token')}`
    const me = await fetch(`${platform.origin}/v1/accounts/me`, { headers: { authorization } })
    expect(await me.json()).toMatchObject({ user_id: platform.owner.user_id })
    expect(await poll(device, 6)).toMatchObject({ error: 'invalid_grant' })
    expect((await fetch(`${platform.origin}/v1/accounts/me`, { headers: { authorization } })).status).toBe(
      401,
    )
  })

  test('that asks too often is slowed down, longer each time', async () => {
    const device = await newDevice()
    expect(await poll(device, 0)).toMatchObject({ error: 'authorization_pending' })
    expect(await poll(device, 3)).toMatchObject({ error: 'slow_down' })
    expect(await poll(device, 8)).toMatchObject({ error: 'slow_down' })
    expect(await poll(device, 16)).toMatchObject({ error: 'authorization_pending' })
  })

  test('is told when the person says no', async () => {
    const device = await newDevice()
    const consent = await reachConsent(device)
    expect((await device.browser.submit(consent, { step: 'deny' })).text).toContain('Access was denied')
    expect(await poll(device, 6)).toMatchObject({ error: 'access_denied' })
  })

  test('is told when the person does not know the code', async () => {
    const device = await newDevice()
    const confirm = await typeCode(device)
    expect((await device.browser.submit(confirm, { abort: 'yes' })).text).toContain('Access was denied')
    expect(await poll(device, 6)).toMatchObject({ error: 'access_denied' })
  })

  test('is told when nobody came in ten minutes', async () => {
    const device = await newDevice()
    await platform.database.db
      .updateTable('oauth_artefacts')
      .set({ expires_at: new Date(0) })
      .where('model', '=', 'DeviceCode')
      .execute()
    expect(await poll(device, 6)).toMatchObject({ error: 'expired_token' })
    expect((await typeCode(device)).text).toContain('has expired')
  })

  test('cannot be had by guessing codes, nor by a form of another page', async () => {
    const device = await newDevice()
    const wrong = { ...device, user_code: 'BBBB-BBBB' }
    expect((await typeCode(wrong)).text).toContain('There is no such code')
    const form = await device.browser.open(device.verification_uri)
    const forged = await device.browser.submit(form, { user_code: device.user_code, xsrf: 'x' })
    expect(forged.text).not.toContain('Is this your device?')
    const { rows } = { rows: await platform.database.db.selectFrom('oauth_artefacts').selectAll().execute() }
    const plain = device.user_code.replace('-', '')
    expect(JSON.stringify(rows)).not.toContain(plain)
    expect(platform.lines.join('\n')).not.toContain(plain)
  })
})
