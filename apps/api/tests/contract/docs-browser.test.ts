import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsChromium, startChromium, type Watched, watchedPage } from '../support/chromium.ts'
import { type TestPlatform, testPlatform } from '../support/platform.ts'
import { type ServedApi, serve } from '../support/serve.ts'

describe.skipIf(skipsChromium)('the reference in a browser', () => {
  let platform: TestPlatform
  let api: ServedApi
  let browser: Browser
  let reference: Watched

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([testPlatform(), startChromium()])
    api = await serve(platform)
    reference = await watchedPage(browser)
    await reference.page.goto(`${api.origin}/v1/docs`)
  })
  afterAll(async () => {
    await browser?.close()
    await api?.close()
    await platform?.close()
  })

  test('an operation opens and shows what it takes and answers', async () => {
    const { page } = reference
    await page.locator('[data-tag="Change requests"]').click()
    const operation = page.locator('[id="operations-Change_requests-mergeChangeRequest"]')
    await operation.locator('.opblock-summary-control').click()
    await operation
      .getByText('Puts its branch on the base branch: a fast-forward when head is strictly ahead')
      .waitFor()
    const examples = operation.locator('.microlight')
    await expect.poll(() => examples.count()).toBeGreaterThan(1)
    const shown = (await examples.allTextContents()).join('\n')
    expect(shown).toContain('"expected_head_sha": "b360ce44b61ea37103c3383d931c96bd88c73178"')
    expect(shown).toContain('"fast_forward": true')
    expect(shown).toContain('"code": "unauthorized"')
  })

  test('somebody who gives a token calls the API from there', async () => {
    const { page } = reference
    await page.locator('.auth-wrapper .authorize').first().click()
    const dialog = page.locator('.modal-ux')
    await dialog.getByText('A personal access key').waitFor()
    await dialog.locator('input').first().fill(platform.owner.token)
    await dialog.locator('button[type=submit]').first().click()
    await dialog.locator('.btn-done').first().click()
    await page.locator('[data-tag="Accounts and tokens"]').click()
    const operation = page.locator('[id="operations-Accounts_and_tokens-getMe"]')
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.try-out__btn').click()
    await operation.locator('.execute').click()
    await operation.getByText(platform.owner.user_id).first().waitFor()
  })

  test('no request left the origin, and nothing complained', () => {
    expect(reference.requests.length).toBeGreaterThan(3)
    const elsewhere = reference.requests.filter(
      (url) => !url.startsWith(`${api.origin}/`) && !url.startsWith('data:') && !url.startsWith('blob:'),
    )
    expect(elsewhere).toEqual([])
    expect(reference.complaints).toEqual([])
  })
})
