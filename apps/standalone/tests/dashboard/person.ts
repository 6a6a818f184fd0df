import { describe, expect, test } from 'vitest'
import { at, platform, watched } from './world.ts'

/** Signing in and out on the pages of the platform. */
export function testPerson(): void {
  describe('a person', () => {
    const email = 'owner@svc.invalid'
    const password = 'correct horse battery'
    let held = ''

    /** Changes some of the state that the tab keeps. */
    const keep = (changes: object) =>
      watched.page.evaluate(
        `sessionStorage.setItem('svc.credential', JSON.stringify({ ...JSON.parse(sessionStorage.getItem('svc.credential')), ...${JSON.stringify(changes)} }))`,
      )
    const kept = async (): Promise<Record<string, unknown>> =>
      Object(JSON.parse(await watched.page.evaluate(`sessionStorage.getItem('svc.credential') ?? '{}'`)))
    const exchanges = () => watched.requests.filter((url) => url.endsWith('/v1/oauth/token')).length
    const statusOf = async (token: unknown) => {
      const headers = { authorization: `Bearer ${String(token)}` }
      return (await fetch(`${platform.origin}/v1/projects`, { headers })).status
    }

    test.each([
      ['that nobody asked for', '', 'did not begin'],
      [
        'to another question',
        `{"state":"mine","verifier":"v","return_to":"//evil.example"}`,
        'not the answer',
      ],
    ])('is not signed in by an answer %s', async (_, asked, says) => {
      const { page } = watched
      const before = exchanges()
      if (asked !== '') await page.evaluate(`sessionStorage.setItem('svc.asked', ${JSON.stringify(asked)})`)
      await page.goto(
        `${platform.origin}/dashboard/signed-in?${before}#code=stolen&state=theirs&iss=${platform.origin}`,
      )
      await page.getByRole('alert').getByText(says).waitFor()
      expect(page.url()).toBe(`${platform.origin}/dashboard/`)
      expect(await page.evaluate('sessionStorage.length')).toBe(0)
      expect(exchanges()).toBe(before)
    })

    test('signs in with a password on the pages of the platform, and is where they meant to go', async () => {
      const { page } = watched
      await platform.client.auth.changePassword({ password })
      const referers: string[] = []
      page.on('request', (request) => referers.push(request.headers()['referer'] ?? ''))
      await page.goto(at('/triggers'))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('To go on to the dashboard').waitFor()
      expect(new URL(page.url()).pathname).toMatch(/^\/v1\/oauth\/interaction\//)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'by-hand' }).waitFor()
      expect(page.url()).toBe(at('/triggers'))
      held = String((await kept()).access_token)
      expect(held).toMatch(/^svc_oat_/)
      expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).toBe('{}')
      // Neither the question nor the answer leaves in an address.
      expect(referers.filter((address) => /[?#]/.test(address))).toEqual([])
      expect(watched.requests.filter((url) => /[?&]code=|svc_o[ar]t_/.test(url))).toEqual([])
    })

    test('is renewed before the end, and once for all that is refused at once', async () => {
      const { page } = watched
      const before = exchanges()
      await keep({ expires_at: Date.now() + 30_000 })
      await page.reload()
      await page.getByRole('heading', { name: 'by-hand' }).waitFor()
      expect(exchanges()).toBe(before + 1)
      const renewed = String((await kept()).access_token)
      expect(renewed).not.toBe(held)
      await keep({ access_token: held.slice(0, -1) })
      await page.reload()
      await page.getByRole('heading', { name: 'by-hand' }).waitFor()
      await page.getByRole('link', { name: 'Change requests' }).click()
      await page.getByRole('link', { name: 'Triggers' }).waitFor()
      expect(exchanges()).toBe(before + 2)
    })

    test('has a sign-in for each tab: a copy of a tab takes nothing of it', async () => {
      const { page } = watched
      const [copy] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluate(`void window.open(${JSON.stringify(at('/triggers'))})`),
      ])
      await copy.getByRole('button', { name: 'Sign in' }).click()
      // The browser is known still: no password again, and no question.
      await copy.getByRole('heading', { name: 'by-hand' }).waitFor({ timeout: 60_000 })
      await copy.close()
      expect(await statusOf((await kept()).access_token)).toBe(200)
    })

    test('signs out, and what the tab held is refused', async () => {
      const { page } = watched
      const { access_token } = await kept()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await page.evaluate('sessionStorage.length')).toBe(0)
      expect(await statusOf(access_token)).toBe(401)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Password').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('You did not sign in').waitFor()
    })

    test('who has just started it signs in with the link that it prints, once', async () => {
      const { page } = watched
      const link = /Dashboard +(\S+)/.exec(platform.child.stdout)?.[1] ?? ''
      const open = async () => {
        await page.goto('about:blank')
        await page.goto(link)
        await page.getByRole('button', { name: 'Continue' }).click()
      }
      await open()
      await page.getByRole('heading', { name: 'Projects' }).waitFor()
      expect(page.url()).toBe(`${platform.origin}/dashboard/`)
      const { access_token } = await kept()
      expect(await statusOf(access_token)).toBe(200)
      await keep({ expires_at: Date.now() + 30_000 })
      await page.reload()
      await page.getByRole('heading', { name: 'Projects' }).waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      expect(await statusOf(access_token)).toBe(401)
      await open()
      await page.getByRole('alert').getByText('was used or is over').waitFor()
      await page.getByRole('button', { name: 'another way' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
    })
  })
}
