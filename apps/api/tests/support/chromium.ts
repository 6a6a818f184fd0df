import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** The path of this machine's browser; null when there is none. */
export const chromiumPath =
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file)) ?? null

/** A laptop without it is told; in CI it is installed, and its absence a failure. */
export const skipsChromium = chromiumPath === null && process.env.CI === undefined
if (skipsChromium) console.warn('chromium is not installed: nothing is tried in a browser')

export async function startChromium(): Promise<Browser> {
  if (chromiumPath === null)
    throw new Error('chromium is not installed; infra/ci/install-test-tools.sh does that')
  return chromium.launch({
    executablePath: chromiumPath,
    // Chromium refuses its own sandbox to root.
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    timeout: 60_000,
  })
}

export interface Watched {
  readonly page: Page
  /** The address of every request. */
  readonly requests: string[]
  /** The page's complaints: console errors, exceptions, failed requests. */
  readonly complaints: string[]
}

/** A page of a profile of its own, with its requests and complaints written down. */
export async function watchedPage(browser: Browser): Promise<Watched> {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(60_000)
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const text = message.text()
    complaints.push(text.includes('a status of') ? `${text} at ${message.location().url}` : text)
  })
  return { page, requests, complaints }
}
