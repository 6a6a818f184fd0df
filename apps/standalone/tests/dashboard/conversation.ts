import { expect, test } from 'vitest'
import { bash, script, type Step } from '../support/sessions/agent.ts'
import { at, platform, project, watched } from './world.ts'

const question = (text: string): Step => ({
  tool: 'question',
  input: {
    questions: [
      {
        question: text,
        header: text,
        options: ['Blue', 'Red'].map((label) => ({ label, description: label })),
      },
    ],
  },
})

/** One session from its first prompt to its stop. */
export function testConversation(): void {
  let session_id = ''

  test('a session is begun with a prompt; at the cap another one waits, and is withdrawn', async () => {
    const { page } = watched
    const { sessions } = platform.client.projects
    const [fired] = (await sessions.list(project.project_id)).items
    await sessions.stop(project.project_id, fired?.session_id ?? '')
    await page.goto(at('/sessions'))
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByLabel('Agent').selectOption('helper (default)')
    await prompt().fill(script(question('Which colour?'), question('Which size?')))
    await page.getByRole('button', { name: 'Start session' }).click()
    await page.getByRole('log', { name: 'Conversation' }).waitFor()
    const address = page.url()
    session_id = address.split('/').at(-1) ?? ''
    await asked().getByText('Which colour?').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Do this:' }).waitFor()
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByRole('button', { name: 'Start session' }).click()
    await page.getByText('the account runs as many sessions as it may').waitFor()
    await page.getByRole('button', { name: 'Withdraw it' }).click()
    await page.getByText('the account runs as many sessions as it may').waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(address)
    await asked().getByText('Which colour?').waitFor()
    // What is pinned hides no end of what was said.
    const isAtEnd = 'document.documentElement.scrollHeight - innerHeight - scrollY < 2'
    await expect.poll(() => page.evaluate(isAtEnd)).toBe(true)
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  test('prompts wait behind a question; one is withdrawn, and the question is answered in its place', async () => {
    const { page } = watched
    const { asks } = platform.client.projects.sessions
    await asked().getByText('Which colour?').waitFor()
    const hello = script({ say: 'Hello there' })
    for (const text of [hello, 'never mind']) {
      await prompt().fill(text)
      await prompt().press('Control+Enter')
      await waiting().getByText(text).waitFor()
      await expect.poll(() => prompt().inputValue()).toBe('')
    }
    await page.getByRole('button', { name: 'Withdraw never mind' }).click()
    await waiting().getByText('never mind').waitFor({ state: 'detached' })
    expect(await stateOf('never mind')).toEqual(['cancelled'])
    await asked().getByRole('radio', { name: 'Blue' }).check()
    await asked().getByRole('button', { name: 'Send answer' }).click()
    await asked().getByText('Which size?').waitFor()
    const [second] = await asks.list(project.project_id, session_id)
    await asks.answer(project.project_id, session_id, second?.request_id ?? '', { answers: [['Red']] })
    const elsewhere = page.getByText('It was answered elsewhere')
    await elsewhere.waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await elsewhere.waitFor({ state: 'detached' })
    const answered = page.getByRole('group', { name: 'question completed' }).first()
    await answered.getByRole('button').first().click()
    await answered.getByText('Blue').first().waitFor()
    await said('Hello there').waitFor()
    await waiting().waitFor({ state: 'detached' })
  })

  test('a prompt whose answer was lost is kept, and sent once by sending it again; a turn is ended', async () => {
    const { page } = watched
    const once = script({ say: 'Once only' })
    await page.route(
      '**/prompts',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await prompt().fill(once)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').waitFor()
    expect(await prompt().inputValue()).toBe(once)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => prompt().inputValue()).toBe('')
    expect(await page.getByRole('alert').count()).toBe(0)
    await said('Once only').waitFor()
    expect(await stateOf(once)).toHaveLength(1)

    const long = script(bash('sleep 600'))
    await prompt().fill(long)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('group', { name: 'bash running' }).getByText('sleep 600').waitFor()
    await page.getByRole('button', { name: 'End turn' }).click()
    await expect.poll(() => stateOf(long)).toEqual(['failed'])
    for (const name of ['End turn', 'Ending…']) {
      await page.getByRole('button', { name }).waitFor({ state: 'detached' })
    }
  })

  test('it is stopped and started, with what its state allows and says', async () => {
    const { page } = watched
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await button('Stop').click()
    await page.getByText('A person stopped it').waitFor()
    await button('Restart').waitFor()
    expect(await button('Stop').count()).toBe(0)
    await button('Start').click()
    await button('Stop').waitFor()
    const context = page.getByRole('complementary', { name: 'Context' })
    await context.getByRole('tab', { name: 'Preview' }).click()
    await context.getByLabel('Port').fill('4000')
    await context.getByText(`svc sessions preview ${session_id.slice(0, 8)} 4000 --open`).waitFor()
    await said('Once only').waitFor()
    await platform.client.projects.sessions.stop(project.project_id, session_id)
    await button('Start').waitFor()
    await page.getByRole('list', { name: 'Start timeline' }).getByRole('listitem').first().waitFor()
  })

  test('a draft outlives a reload', async () => {
    const { page } = watched
    await prompt().fill('half a thought')
    await page.reload()
    await expect.poll(() => prompt().inputValue()).toBe('half a thought')
    await prompt().fill('')
  })

  /** The states of the prompts with this text. */
  async function stateOf(text: string): Promise<string[]> {
    const { prompts } = platform.client.projects.sessions
    const { items } = await prompts.list(project.project_id, session_id, { limit: 200 })
    return items.filter((one) => one.text === text).map(({ state }) => state)
  }
}

const asked = () => watched.page.getByRole('region', { name: 'Needs an answer' })
const waiting = () => watched.page.getByRole('region', { name: 'Waiting prompts' })
const prompt = () => watched.page.getByLabel('Prompt', { exact: true })
const said = (text: string) => watched.page.getByRole('log').locator('.agent').getByText(text)
