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
    await page.getByText('New session').click()
    await page.getByLabel('Agent').selectOption('helper (default)')
    await page.getByLabel('First prompt').fill(script(question('Which colour?'), question('Which size?')))
    await page.getByRole('button', { name: 'Start a session' }).click()
    await page.getByRole('heading', { name: /^Session / }).waitFor()
    const address = page.url()
    session_id = address.split('/').at(-1) ?? ''
    await asked().getByText('Which colour?').waitFor()
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.getByText('New session').click()
    await page.getByRole('button', { name: 'Start a session' }).click()
    await page.getByText('the account runs as many sessions as it may').waitFor()
    await page.getByRole('button', { name: 'Withdraw it' }).click()
    await page.getByText('the account runs as many sessions as it may').waitFor({ state: 'detached' })
    await page.goto(address)
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
      await expect.poll(() => prompt().inputValue(), { timeout: 60_000 }).toBe('')
    }
    await page.getByRole('button', { name: 'Withdraw never mind' }).click()
    await waiting().getByText('never mind').waitFor({ state: 'detached' })
    expect(await stateOf('never mind')).toEqual(['cancelled'])
    await asked().getByRole('radio', { name: 'Blue' }).check()
    await asked().getByRole('button', { name: 'Answer', exact: true }).click()
    await asked().getByText('Which size?').waitFor()
    const [second] = await asks.list(project.project_id, session_id)
    await asks.answer(project.project_id, session_id, second?.request_id ?? '', { answers: [['Red']] })
    const elsewhere = page.getByText('“Which size?” It was answered elsewhere')
    await elsewhere.waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await elsewhere.waitFor({ state: 'detached' })
    await page.getByRole('log').getByText('"Which colour?": Blue').waitFor({ state: 'attached' })
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
    await expect.poll(() => prompt().inputValue(), { timeout: 60_000 }).toBe('')
    expect(await page.getByRole('alert').count()).toBe(0)
    await said('Once only').waitFor()
    expect(await stateOf(once)).toHaveLength(1)

    const long = script(bash('sleep 600'))
    await prompt().fill(long)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('log').getByText('bash').last().waitFor()
    await page.getByRole('button', { name: 'End this turn' }).click()
    await page.getByText('The agent works on a prompt').waitFor({ state: 'detached' })
    expect(await stateOf(long)).toEqual(['failed'])
  })

  test('it is stopped and started, with what its state allows and says', async () => {
    const { page } = watched
    const state = page.getByRole('region', { name: 'State' })
    await state.getByRole('button', { name: 'Stop' }).click()
    await state.getByText('A person stopped it').waitFor()
    expect(await state.getByRole('button').allInnerTexts()).toEqual(['Start', 'Restart'])
    await state.getByRole('button', { name: 'Start', exact: true }).click()
    await state.getByText('Its agent takes prompts').waitFor()
    await page.getByLabel('Port').fill('4000')
    await page.getByText(`svc sessions preview ${session_id.slice(0, 8)} 4000 --open`).waitFor()
    await said('Once only').waitFor()
    await platform.client.projects.sessions.stop(project.project_id, session_id)
    await state.getByRole('button', { name: 'Start', exact: true }).waitFor()
  })

  /** The states of the prompts with this text. */
  async function stateOf(text: string): Promise<string[]> {
    const { prompts } = platform.client.projects.sessions
    const { items } = await prompts.list(project.project_id, session_id, { limit: 200 })
    return items.filter((one) => one.text === text).map(({ state }) => state)
  }
}

const asked = () => watched.page.getByRole('region', { name: 'The agent asks' }).last()
const waiting = () => watched.page.getByRole('region', { name: 'Waiting prompts' })
const prompt = () => watched.page.getByLabel('Prompt', { exact: true })
const said = (text: string) => watched.page.locator('.assistant').getByText(text)
