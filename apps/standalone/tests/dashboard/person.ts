import { describe, expect, test } from 'vitest'
import { mailedCode } from '../support/clients/mailed-code.ts'
import { at, platform, signOut, stored, watched } from './world.ts'

/** Signing in and out on the pages of the platform. */
export function testPerson(): void {
  describe('a person', () => {
    const email = 'owner@svc.invalid'
    const password = 'correct horse battery'
    const exchanges = () => watched.requests.filter((url) => url.endsWith('/v1/oauth/token')).length
    /** The cookie and the page key that the browser holds now. */
    const credential = async () => {
      const [cookie] = await watched.page.context().cookies(`${platform.origin}/v1/projects`)
      const page_key = await watched.page.evaluate<string>("localStorage.getItem('svc.page-key') ?? ''")
      return { cookie, page_key }
    }
    const statusOf = async ({ cookie, page_key }: Awaited<ReturnType<typeof credential>>) => {
      const headers = { cookie: `${cookie?.name}=${cookie?.value}`, 'x-svc-page': page_key }
      return (await fetch(`${platform.origin}/v1/projects`, { headers })).status
    }

    test.each([
      ['that nobody asked for', '', 'did not begin'],
      [
        'to another question',
        `{"state":"mine","verifier":"v","keep":false,"return_to":"//evil.example"}`,
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
      expect(await stored()).not.toContain('svc_bwk_')
      expect(exchanges()).toBe(before)
    })

    test('signs in with a password on the pages of the platform, and is where they meant to go', async () => {
      const { page } = watched
      await platform.client.auth.changePassword({ password })
      const referers: string[] = []
      page.on('request', (request) => referers.push(request.headers()['referer'] ?? ''))
      await page.goto(at('/triggers'))
      await page.getByRole('button', { name: 'your provider' }).click()
      await page.getByText('To go on to the dashboard').waitFor()
      expect(new URL(page.url()).pathname).toMatch(/^\/v1\/oauth\/interaction\//)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { level: 1, name: 'Triggers' }).waitFor()
      expect(page.url()).toBe(at('/triggers'))
      const held = await credential()
      expect(held.cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/v1' })
      expect(await statusOf(held)).toBe(200)
      expect(await statusOf({ ...held, page_key: 'svc_bwk_that_nobody_has' })).toBe(401)
      // No script of the page reads what acts as the person: the tokens of the sign-in are spent, the cookie is hidden.
      expect(await stored()).not.toMatch(/svc_(oat|ort|usr|bws)_/)
      // Neither the question nor the answer leaves in an address.
      expect(referers.filter((address) => /[?#]/.test(address))).toEqual([])
      expect(watched.requests.filter((url) => /[?&]code=|svc_o[ar]t_/.test(url))).toEqual([])
    })

    test('signs out, what the browser held is refused, and the next sign-in asks who it is', async () => {
      const { page } = watched
      const held = await credential()
      await signOut()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await stored()).not.toContain('svc_bwk_')
      await expect.poll(() => statusOf(held)).toBe(401)
      await page.getByRole('button', { name: 'your provider' }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('You did not sign in').waitFor()
    })

    test('signs in with a password here, and goes on with the page of the address', async () => {
      const { page } = watched
      await page.goto(at('/sessions'))
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill('not this one')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
      await signOut()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    })

    test('sets a new password that was forgotten, by the code of a mail', async () => {
      const { page } = watched
      await page.goto(`${platform.origin}/dashboard/`)
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
      await page.getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Send a code' }).click()
      const fields = { code: page.getByLabel('Code'), next: page.getByLabel('New password') }
      await fields.code.fill('000000')
      await fields.next.fill('a longer horse battery')
      await page.getByRole('button', { name: 'Set password' }).click()
      await page.getByRole('alert').getByText('is wrong').waitFor()
      await fields.code.fill(await mailedCode(platform.place.data_dir, 'Set a new password'))
      await page.getByRole('button', { name: 'Set password' }).click()
      await page.getByRole('heading', { name: 'Needs you' }).waitFor()
      await signOut()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
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
      await page.getByRole('heading', { name: 'Needs you' }).waitFor()
      expect(page.url()).toBe(`${platform.origin}/dashboard/`)
      const held = await credential()
      expect(await statusOf(held)).toBe(200)
      await page.reload()
      await page.getByRole('heading', { name: 'Needs you' }).waitFor()
      await signOut()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      await expect.poll(() => statusOf(held)).toBe(401)
      await open()
      await page.getByRole('alert').getByText('was used or is over').waitFor()
      await page.getByRole('button', { name: 'another way' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
    })
  })
}
