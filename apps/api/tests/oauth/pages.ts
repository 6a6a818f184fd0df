import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { Browser, type ShownPage } from '../support/browser.ts'
import { type App, platform, owner, newApp, ask, tokensFor } from './world.ts'

describe('the pages', () => {
  let app: App
  let page: ShownPage
  beforeAll(async () => {
    app = await newApp({ client_name: `<img src=x onerror=alert(1)>"'` })
    page = await app.browser.open((await ask(app)).url.href)
  })

  test('load nothing, run nothing, are framed by nobody and lead nowhere else', () => {
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'sha256-[^']+'; /,
    )
    expect(policy).toMatch(/; form-action 'self' http:\/\/127\.0\.0\.1:4711$/)
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.text).not.toMatch(/<script|<img|<link|https?:\/\//)
    expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;')
  })

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['nowhere', { origin: 'null' }],
  ])('take no form from %s', async (_, headers) => {
    const shown = await app.browser.submit(page, { step: 'token', token: owner.token }, headers)
    expect(shown).toMatchObject({ status: 403 })
  })

  test('belong to the browser that opened them', async () => {
    const other = new Browser(platform.origin)
    const shown = await other.submit(page, { step: 'token', token: owner.token })
    expect(shown).toMatchObject({ status: 400, text: expect.stringContaining('no longer open') })
  })

  test.each([
    ['a wrong password', { step: 'password', email: 'nobody@example.com', password: 'hunter2hunter2' }],
    ['no token', { step: 'token', token: '' }],
    ['a token of nobody', { step: 'token', token: `svc_pat_${randomBytes(30).toString('hex')}` }],
  ])('say so of %s, and never repeat it', async (_, fields) => {
    const shown = await app.browser.submit(page, fields)
    expect(shown).toMatchObject({ status: 401, text: expect.stringContaining('role="alert"') })
    for (const secret of [Object(fields).password, Object(fields).token])
      if (secret) expect(shown.text).not.toContain(secret)
  })

  test('take no token of a project, nor one of an app', async () => {
    const { access_token } = await tokensFor(await newApp())
    expect(await app.browser.submit(page, { step: 'token', token: access_token })).toMatchObject({
      status: 401,
    })
  })

  test('let the person say no, before and after they signed in', async () => {
    const fresh = await newApp()
    const denied = await fresh.browser.submit(await fresh.browser.open((await ask(fresh)).url.href), {
      step: 'deny',
    })
    expect(denied.url).toContain('error=access_denied')
    const signIn = await fresh.browser.open((await ask(fresh)).url.href)
    const consent = await fresh.browser.submit(signIn, { step: 'token', token: owner.token })
    expect(consent.text).toContain('do everything that you may do')
    expect((await fresh.browser.submit(consent, { step: 'deny' })).url).toContain('error=access_denied')
    // The person who is signed in is still looked up, each time.
    expect((await fresh.browser.open((await ask(fresh)).url.href)).text).toContain('Allow access?')
  })

  test('limit how often somebody guesses', async () => {
    const guesser = await newApp()
    const form = await guesser.browser.open((await ask(guesser)).url.href)
    const guess = () => guesser.browser.submit(form, { step: 'token', token: 'svc_pat_wrong' })
    const statuses = []
    for (let count = 0; count < 31; count++) statuses.push((await guess()).status)
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 401))
    expect(statuses[30]).toBe(429)
  })
})
