import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsChromium, startChromium, type Watched } from '../../../../api/tests/support/chromium.ts'
import { makeBegunPlace, type Place, type Platform, startOn } from '../../support/platform/platform.ts'
import { script } from '../../support/sessions/agent.ts'
import { piProject } from '../../support/sessions/pi-project.ts'

let place: Place
let platform: Platform
let browser: Awaited<ReturnType<typeof startChromium>>
let page: Watched['page']
let session_id: string
let project_id: string

const line = (on = page) => on.getByText('The platform does not answer')
const prompt = (on = page) => on.getByRole('textbox', { name: 'Prompt' })
const said = (text: string, on = page) =>
  on.getByRole('log', { name: 'Conversation' }).getByText(`[scripted demo model] ${text}`)
const address = () => `${platform.origin}/dashboard/projects/${project_id}/sessions/${session_id}`

describe.skipIf(skipsChromium)('the dashboard while the platform is away', () => {
  beforeAll(async () => {
    place = await makeBegunPlace()
    ;[platform, browser] = await Promise.all([startOn(place), startChromium()])
    project_id = (await piProject(platform.client, platform.token, 'Away')).project_id
    const context = await browser.newContext()
    context.setDefaultTimeout(60_000)
    page = await context.newPage()
    await page.goto(`${platform.origin}/dashboard/projects/${project_id}/sessions`)
    await page.getByText('Use a token instead').click()
    await page.getByLabel('Access token').fill(platform.token)
    await page.getByRole('button', { name: 'Use the token' }).click()
    await page.getByRole('button', { name: 'New session' }).click()
    await prompt().fill(script({ say: 'Here I am' }))
    await page.getByRole('button', { name: 'Start session' }).click()
    await said('Here I am').waitFor({ timeout: 180_000 })
    session_id = page.url().split('/').at(-1) ?? ''
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
    await place.remove()
  })

  test('seven tabs with sessions at once all work, and each hears what is new', async () => {
    const tabs = await Promise.all(Array.from({ length: 6 }, () => page.context().newPage()))
    const all = [page, ...tabs]
    await Promise.all(tabs.map((tab) => tab.goto(address())))
    await Promise.all(all.map((tab) => said('Here I am', tab).waitFor()))
    const seventh = tabs[5] ?? page
    await prompt(seventh).fill(script({ say: 'To all seven' }))
    await prompt(seventh).press('Control+Enter')
    await Promise.all(all.map((tab) => said('To all seven', tab).waitFor()))
    for (const tab of tabs) await tab.close()
  })

  test('without a network one line says so, and goes by itself', async () => {
    await prompt().fill('a draft of before')
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Change requests', exact: true }).click()
    await line().waitFor()
    await page.context().setOffline(false)
    await line().waitFor({ state: 'detached' })
    await page.goBack()
    await expect.poll(() => prompt().inputValue()).toBe('a draft of before')
  })
})
