import { startChromium, type Watched } from '../../../../api/tests/support/chromium.ts'
import { makeBegunPlace, type Place, type Platform, startOn } from '../../support/platform/platform.ts'
import { piProject } from '../../support/sessions/pi-project.ts'

export type Page = Watched['page']

export interface Opened {
  readonly place: Place
  /** The one that runs now: a test that ends it puts the next one here. */
  platform: Platform
  readonly page: Page
  readonly project_id: string
  readonly session_id: string
  close(): Promise<void>
}

/** A tab with a session whose first turn was told so much, at a platform that a test may end and start again. */
export async function openSession(
  first: { readonly prompt: string; readonly answer: string },
  env: Readonly<Record<string, string>> = {},
): Promise<Opened> {
  const place = await makeBegunPlace(env)
  const [platform, browser] = await Promise.all([startOn(place), startChromium()])
  const { project_id } = await piProject(platform.client, platform.token, 'Away')
  const context = await browser.newContext()
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  await page.goto(listAddress({ platform, project_id }))
  await page.getByText('Use a token instead').click()
  await page.getByLabel('Access token').fill(platform.token)
  await page.getByRole('button', { name: 'Use the token' }).click()
  await page.getByRole('button', { name: 'New session' }).click()
  await prompt(page).fill(first.prompt)
  await page.getByRole('button', { name: 'Start session' }).click()
  await conversation(page).getByText(first.answer).waitFor({ timeout: 180_000 })
  const session_id = page.url().split('/').at(-1) ?? ''
  const opened: Opened = {
    ...{ place, platform, page, project_id, session_id },
    async close() {
      await browser.close()
      if (!opened.platform.child.ended) await opened.platform.stop()
      await place.remove()
    },
  }
  return opened
}

export const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' })
export const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' })
export const awayLine = (page: Page) => page.getByText('This page goes on by itself')
export const listAddress = ({ platform, project_id }: Pick<Opened, 'platform' | 'project_id'>) =>
  `${platform.origin}/dashboard/projects/${project_id}/sessions`
export const sessionAddress = (opened: Opened) => `${listAddress(opened)}/${opened.session_id}`
