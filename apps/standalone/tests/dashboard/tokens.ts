import { expect, test } from 'vitest'
import { at, minted, platform, signOut, stored, watched } from './world.ts'

/** The page that asks for a token, and the way on with one that is right. */
export function testToken(): void {
  test('the first page leads to it, and every address of it asks who is there', async () => {
    const { page } = watched
    await page.goto(platform.origin)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(at('/triggers'))
    await page.getByText('Use a token instead').click()
    await page.getByLabel('Access token').fill('svc_pat_that_nobody_minted')
    await page.getByRole('button', { name: 'Use the token' }).click()
    await page.getByText('This token is wrong').waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/request \S+/)
    expect(await stored()).not.toContain('svc_')
  })

  test('a token leads to where somebody wanted to go, and is none of what the browser keeps for its tabs', async () => {
    const { page } = watched
    await page.getByLabel('Access token').fill(minted.token)
    await page.getByRole('button', { name: 'Use the token' }).click()
    await page.getByRole('link', { name: 'by-hand' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'by-hand' }).waitFor()
    expect(page.url()).toBe(at('/triggers'))
    expect(page.url() + (await stored())).not.toContain(minted.token)
    const tab = await page.context().newPage()
    await tab.goto(at('/secrets'))
    await tab.getByRole('heading', { level: 1, name: 'Secrets' }).waitFor({ timeout: 60_000 })
    await tab.close()
  })
}

/** The end of a token, by the person and by the platform. */
export function testTokenEnd(): void {
  test('signing out forgets the token in each tab, and a revoked one is told', async () => {
    const { page } = watched
    const tab = await page.context().newPage()
    await tab.goto(at('/triggers'))
    await tab.getByRole('heading', { level: 1, name: 'Triggers' }).waitFor({ timeout: 60_000 })
    await signOut()
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: 60_000 })
    await tab.close()
    await page.getByText('Use a token instead').click()
    await page.getByLabel('Access token').fill(minted.token)
    expect(await stored()).not.toContain('svc_')
    await page.getByRole('button', { name: 'Use the token' }).click()
    await page.getByRole('link', { name: 'Projects', exact: true }).click()
    const inside = page.getByRole('link', { name: 'Pages', exact: true })
    await inside.waitFor()
    await platform.client.tokens.revoke(minted.token_id)
    await inside.click()
    await page.getByText('your token was revoked or has ended').waitFor()
    expect(await stored()).not.toContain('svc_')
  })
}
