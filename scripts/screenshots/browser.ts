import type { startChromium } from '../../apps/api/tests/support/chromium.ts'

type Browser = Awaited<ReturnType<typeof startChromium>>
type Page = Awaited<ReturnType<Browser['newPage']>>

export const sizes = {
  laptop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const
export type Size = keyof typeof sizes

export const themes = ['light', 'dark'] as const

/** A page of a person who is signed in, at one size. */
export async function openPage(browser: Browser, origin: string, token: string, size: Size): Promise<Page> {
  const phone = size === 'phone'
  const context = await browser.newContext({ viewport: sizes[size], hasTouch: phone, isMobile: phone })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(`${origin}/dashboard/`)
  await page.getByText('Use a token instead').click()
  await page.getByLabel('Access token').fill(token)
  await page.getByRole('button', { name: 'Use the token' }).click()
  await page.getByRole('navigation', { name: 'Main', exact: true }).waitFor()
  return page
}

/** Opens the address, and returns once nothing of the page is still loading, and it has what it shows last. */
export async function settle(page: Page, address: string, shows?: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => true)')
  // Time for what the first answers ask for.
  await page.waitForTimeout(1_000)
  if (shows !== undefined) await page.locator(shows).first().waitFor()
}
