import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import { expect, test } from 'vitest'
import { git } from '../support/clients/git.ts'
import { offeringAgent } from '../support/sessions/offering-agent.ts'
import { at, platform, project, watched } from './world.ts'

/** A session whose agent is a program of the repository, which offers all that an agent by ACP can. */
export function testAgent(): void {
  test('a session is begun on a program of the repository, and shows its plan, its changes and its context', async () => {
    const { page } = watched
    await declareAgent()
    const { sessions } = platform.client.projects
    for (const { session_id, status } of (await sessions.list(project.project_id)).items)
      if (status === 'running') await sessions.stop(project.project_id, session_id)
    await page.goto(at('/sessions/new'))
    await page.getByLabel('Runs on').selectOption('offers')
    await prompt().fill('Change the total')
    await page.getByRole('button', { name: 'Start session' }).click()
    const log = page.getByRole('log', { name: 'Conversation' })
    await log.getByText('Both files are changed.').waitFor()
    const thought = log.getByText('First a look at what is there.')
    expect(await thought.isVisible()).toBe(false)
    await log.getByText('Thoughts').click()
    await thought.waitFor()
    const edit = log.getByRole('group', { name: 'edit completed' })
    await edit.getByRole('button').first().click()
    const file = edit.getByRole('button', { name: 'src/total.ts' })
    expect(await file.getAttribute('aria-expanded')).toBe('false')
    await file.click()
    await edit.getByRole('group', { name: 'Changes of src/total.ts' }).getByText('export { net }').waitFor()
    const todo = context().getByRole('list', { name: 'Todo 1/3' })
    await todo.getByRole('listitem').filter({ hasText: 'now: Write total.ts' }).waitFor()
    await context().getByRole('meter', { name: 'Context of the agent' }).and(used('42%')).waitFor()
    await context().getByText('offers').first().waitFor()
    await page.getByRole('main').getByText('unmetered').waitFor()
  })

  test('its options are changed in place, and one that the agent refuses stays as it was', async () => {
    const options = context().getByRole('region', { name: 'Options of the agent' })
    const labels = await options.locator('label').allTextContents()
    expect(labels).toEqual(['Mode', 'Effort', 'Search the web'])
    await options.getByLabel('Mode').selectOption('Plan')
    await options.getByLabel('Search the web').click()
    await expect.poll(offered).toMatchObject({ mode: 'plan', web: true })
    await options.getByLabel('Effort').selectOption('Broken')
    await options.getByRole('alert').waitFor()
    expect(await options.getByLabel('Effort').inputValue()).toBe('low')
    await options.getByLabel('Effort').selectOption('High')
    await options.getByRole('alert').waitFor({ state: 'detached' })
    await expect.poll(offered).toMatchObject({ effort: 'high' })
  })

  test('a slash completes its commands, by keys and by the pointer', async () => {
    const { page } = watched
    const list = page.getByRole('listbox', { name: 'Commands of the agent' })
    await prompt().fill('')
    await prompt().pressSequentially('/')
    expect(await list.getByRole('option').count()).toBe(3)
    await page.evaluate(axe.source)
    const faults = await page.evaluate<{ id: string }[]>('axe.run().then(({ violations }) => violations)')
    expect(faults.map(({ id }) => id)).toEqual([])
    await prompt().pressSequentially('view')
    expect(await list.getByRole('option').allTextContents()).toHaveLength(2)
    await prompt().press('ArrowDown')
    const chosen = list.getByRole('option', { selected: true })
    expect(await chosen.textContent()).toContain('/preview')
    expect(await prompt().getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
    await prompt().press('Escape')
    await list.waitFor({ state: 'detached' })
    expect(await prompt().inputValue()).toBe('/view')
    await prompt().fill('')
    await prompt().pressSequentially('/re')
    await prompt().press('Enter')
    expect(await prompt().inputValue()).toBe('/review ')
    await list.waitFor({ state: 'detached' })
    await prompt().fill('')
    await prompt().pressSequentially('/')
    await list.getByRole('option', { name: '/init' }).click()
    expect(await prompt().inputValue()).toBe('/init ')
    await prompt().fill('')
  })

  test('a turn that ended at a limit goes on by a button', async () => {
    const { page } = watched
    const limit = page.getByText('stopped at the limit of tokens')
    await limit.waitFor()
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('log').getByText('Went on to the end.').waitFor()
    await limit.waitFor({ state: 'detached' })
    await context().getByRole('meter', { name: 'Context of the agent' }).and(used('88%')).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await context().getByText('start it first').waitFor()
    expect(await context().getByLabel('Mode').isDisabled()).toBe(true)
  })
}

/** Pushes the program and its line in the manifest to the default branch. */
async function declareAgent(): Promise<void> {
  const { token, place } = platform
  const cwd = join(place.root, 'agent')
  await git(['clone', '--quiet', project.repo_url, cwd], { token })
  await mkdir(join(cwd, 'tools'))
  await writeFile(join(cwd, 'tools/agent.mjs'), offeringAgent)
  const entry = '{ command: [node, tools/agent.mjs], dialect: none, auth: secrets }'
  await appendFile(join(cwd, 'svc.yaml'), `harnesses:\n  offers: ${entry}\n`)
  await git(['add', '--all'], { cwd })
  await git(['commit', '--quiet', '--message', 'Bring an agent'], { cwd })
  await git(['push', '--quiet', 'origin', 'HEAD:main'], { cwd, token })
}

/** The values of the options, as the platform has them. */
async function offered(): Promise<Record<string, string | boolean>> {
  const session_id = new URL(watched.page.url()).pathname.split('/').at(-1) ?? ''
  const { runtime } = platform.client.projects.sessions
  const { config_options } = await runtime.get(project.project_id, session_id)
  return Object.fromEntries(config_options.map(({ id, currentValue }) => [id, currentValue]))
}

const prompt = () => watched.page.getByLabel('Prompt', { exact: true })
const context = () => watched.page.getByRole('complementary', { name: 'Context' })
const used = (share: string) => watched.page.locator(`[aria-valuetext^="${share}"]`)
