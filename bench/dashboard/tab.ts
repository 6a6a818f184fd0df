import type { startChromium } from '../../apps/api/tests/support/chromium.ts'
import { openPage } from '../../scripts/screenshots/browser.ts'
import type { BuiltPlatform } from '../../scripts/screenshots/platform.ts'

type Browser = Awaited<ReturnType<typeof startChromium>>
export type Page = Awaited<ReturnType<Browser['newPage']>>

/** A tab of a person who is signed in. */
export interface Tab {
  readonly browser: Browser
  readonly platform: BuiltPlatform
  readonly page: Page
}

export async function openTab(browser: Browser, platform: BuiltPlatform): Promise<Tab> {
  const page = await openPage(browser, platform.origin, platform.token, 'laptop')
  return { browser, platform, page }
}

/** A number that the page's own script says. */
export const numberOf = async (page: Page, script: string): Promise<number> =>
  Number(await page.evaluate<unknown>(script))
