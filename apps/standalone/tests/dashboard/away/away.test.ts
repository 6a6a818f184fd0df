import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsChromium } from '../../../../api/tests/support/chromium.ts'
import { bash, script } from '../../support/sessions/agent.ts'
import {
  awayLine,
  conversation,
  type Opened,
  openSession,
  type Page,
  prompt,
  sessionAddress,
} from './opened.ts'

let opened: Opened
let page: Page

const said = (text: string, on: Page) => conversation(on).getByText(`[scripted demo model] ${text}`)

describe.skipIf(skipsChromium)('the dashboard while the platform is away', () => {
  beforeAll(async () => {
    opened = await openSession({
      prompt: script({ say: 'Here I am' }),
      answer: '[scripted demo model] Here I am',
    })
    page = opened.page
  })
  afterAll(() => opened?.close())

  test('seven tabs with sessions at once all work, and each hears what is new', async () => {
    const tabs = await Promise.all(Array.from({ length: 6 }, () => page.context().newPage()))
    const all = [page, ...tabs]
    await Promise.all(tabs.map((tab) => tab.goto(sessionAddress(opened))))
    await Promise.all(all.map((tab) => said('Here I am', tab).waitFor()))
    const seventh = tabs[5] ?? page
    await prompt(seventh).fill(script({ say: 'To all seven' }))
    await prompt(seventh).press('Control+Enter')
    await Promise.all(all.map((tab) => said('To all seven', tab).waitFor()))
    for (const tab of tabs) await tab.close()
  })

  test('a reload in mid-turn loses nothing of the turn, and tells nothing twice', async () => {
    await prompt(page).fill(script(bash('sleep 5; echo slept'), { say: 'After the reload' }))
    await prompt(page).press('Control+Enter')
    const call = (state: string) => page.getByRole('group', { name: `bash ${state}` })
    await call('running').waitFor()
    await page.reload()
    await said('After the reload', page).waitFor()
    expect([await said('After the reload', page).count(), await call('completed').count()]).toEqual([1, 1])
  })

  test('without a network one line says so, and goes by itself', async () => {
    await prompt(page).fill('a draft of before')
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Change requests', exact: true }).click()
    await awayLine(page).waitFor()
    await page.context().setOffline(false)
    await awayLine(page).waitFor({ state: 'detached' })
    await page.goBack()
    await expect.poll(() => prompt(page).inputValue()).toBe('a draft of before')
  })
})
