import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startModel } from '../../../../../scripts/screenshots/model.ts'
import { skipsChromium } from '../../../../api/tests/support/chromium.ts'
import { startOn } from '../../support/platform/platform.ts'
import { killAll } from '../../support/platform/processes.ts'
import { awaitTurn, lastSeq } from '../../support/sessions/agent.ts'
import { allEvents } from '../../support/sessions/events.ts'
import {
  awayLine,
  conversation,
  listAddress,
  type Opened,
  openSession,
  type Page,
  prompt,
  sessionAddress,
} from './opened.ts'

const awayMs = 12_000
/** The page's own: from the moment at which the platform answers again and says how its turn ended. */
const healedMs = 10_000
const clock = /^\d+ (s|min|h)|ago|now/
const words = Array.from({ length: 3_000 }, (_, at) => `word-${at}`)

let opened: Opened
let model: Awaited<ReturnType<typeof startModel>>

/** Whatever a page tells, without its clocks. */
async function told(page: Page): Promise<readonly string[]> {
  const text = await page.getByRole('main').innerText()
  return text.split('\n').filter((line) => line.trim() !== '' && !clock.test(line))
}

describe.skipIf(skipsChromium)('the platform is killed in mid-turn', () => {
  beforeAll(async () => {
    model = await startModel({
      'Say hello': [{ say: 'Hello there' }],
      'Count slowly': [{ say: words.join(' ') }],
    })
    const env = { SVC_MODEL_BASE_URL: model.url, SVC_MODEL: 'words' }
    opened = await openSession({ prompt: 'Say hello', answer: 'Hello there' }, env)
  })
  afterAll(async () => {
    await opened?.close()
    await model?.close()
  })

  test.each([
    ['its own process', () => opened.platform.kill()],
    ['every process, its database and sandboxes as well', () => killAll(opened.place.markers)],
  ])('%s: pages that were open are as new ones within ten seconds', async (_, kill) => {
    const { page, platform, project_id, session_id } = opened
    const session = await platform.client.projects.sessions.get(project_id, session_id)
    const after = await lastSeq(platform.client, session)
    const list = await page.context().newPage()
    await list.goto(listAddress(opened))
    await list.getByRole('link', { name: 'Say hello' }).waitFor()
    for (const one of [page, list]) await one.evaluate('window.isTheSame = true')
    await prompt(page).fill('Count slowly')
    await prompt(page).press('Control+Enter')
    await conversation(page).getByText('word-20 ').last().waitFor()
    await prompt(page).fill('a draft of before')
    await kill()
    await Promise.all([awayLine(page).waitFor(), awayLine(list).waitFor(), sleep(awayMs)])

    opened.platform = await startOn(opened.place)
    await awaitTurn(opened.platform.client, session, { after })
    await sleep(healedMs)
    const now = { session: await told(page), list: await told(list) }
    for (const one of [page, list]) {
      expect(await one.evaluate('window.isTheSame')).toBe(true)
      expect(await awayLine(one).count()).toBe(0)
    }
    expect(await prompt(page).inputValue()).toBe('a draft of before')
    const said = (await allEvents(opened.platform.client, session)).flatMap(({ type, role, text }) =>
      type === 'message' && role === 'assistant' ? [String(text)] : [],
    )
    expect(now.session.filter((line) => said.some((text) => line.startsWith(text.slice(0, 6))))).toEqual(said)

    const anew = await page.context().newPage()
    await anew.goto(sessionAddress(opened))
    await expect.poll(() => told(anew)).toEqual(now.session)
    await anew.goto(listAddress(opened))
    await expect.poll(() => told(anew)).toEqual(now.list)
    await anew.close()
    await list.close()
  })
})
