import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, commitAndPush, script, write } from '../support/sessions/agent.ts'
import { git } from '../support/clients/git.ts'
import { at, platform, project, watched } from './world.ts'

/** Triggers and change requests, read and acted on in the pages. */
export function testChanges(): void {
  test('a trigger is switched off in the manifest, and fires by hand all the same', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    expect(await platform.client.projects.triggers.get(project.project_id, 'by-hand')).toMatchObject({
      enabled: false,
    })
    const steps = [
      write('hello.txt', 'from the dashboard\n'),
      commitAndPush('Add a greeting'),
      bash('svc cr open --title Greeting'),
    ]
    await page.getByRole('button', { name: 'Fire now' }).click()
    await page.getByLabel('Message').fill(script(...steps))
    await page.getByRole('button', { name: 'Fire', exact: true }).click()
    await page.getByRole('link', { name: 'See its session' }).click()
    const last = page.getByRole('group', { name: 'bash completed' }).nth(1)
    await last.getByRole('button').first().click()
    await last.getByText('Opened #').waitFor()
    const sofar = page.getByRole('region', { name: 'Changes so far' })
    await sofar.getByText('from the dashboard').waitFor()
    const opened = await platform.client.projects.sessions.list(project.project_id)
    expect(opened.items).toHaveLength(1)
    expect(page.url()).toBe(at(`/sessions/${opened.items[0]?.session_id}`))
    await page.goto(at('/triggers/by-hand'))
    await page.getByRole('table', { name: 'Fires' }).getByText('fired').waitFor()
    await page.getByRole('list', { name: 'Next fires' }).getByRole('listitem').nth(4).waitFor()
  })

  test('what an agent opened is read, refused when the base has moved, and merged as it is shown', async () => {
    const { page } = watched
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Go to a page').fill('Change requests')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Greeting' }).waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    const waiting = page.getByRole('list', { name: 'Needs you' })
    await waiting.getByRole('link', { name: 'Greeting' }).click()
    await page.getByText('It merges cleanly: the base moves forward').waitFor()
    await page.getByRole('tab', { name: 'Files' }).click()
    await page.getByLabel('Changes of hello.txt').getByText('from the dashboard').waitFor()
    await page.getByRole('checkbox', { name: 'Viewed' }).check()
    await page.getByRole('treeitem', { name: 'hello.txt, viewed' }).waitFor()
    const marks = () => platform.client.projects.changeRequests.viewed(project.project_id, '1')
    await expect.poll(async () => (await marks()).map(({ path }) => path)).toEqual(['hello.txt'])
    const moved = await tip()
    await platform.client.projects.triggers.update(project.project_id, 'by-hand', { name: 'Moves the base' })
    await merge()
    const refusal = page.getByRole('alert')
    await refusal.getByText(/[A-Z_]+ request \S+/).waitFor()
    expect(await tip()).not.toBe(moved)
    const before = await tip()
    await page.getByRole('button', { name: 'as it is now' }).click()
    await page.getByText('a merge commit joins').waitFor()
    expect(await refusal.count()).toBe(0)
    await merge()
    await page.getByText('Merged: main has it').waitFor()
    const after = await tip()
    expect(after).not.toBe(before)
    expect(await page.getByText('Merged: main has it').innerText()).toContain(after)
    const { content } = await platform.client.projects.files.read(project.project_id, { path: 'hello.txt' })
    expect(content).toContain('from the dashboard')
  })

  test('one that conflicts cannot be merged there; it is closed, opened again, and its title is mended', async () => {
    const { page } = watched
    await push('clash', 'hello.txt', 'another greeting\n')
    const { changeRequests } = platform.client.projects
    // Home is open already: what is new comes to it by itself, and goes once it is put aside.
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Needs you' }).waitFor()
    const cr = await changeRequests.create(project.project_id, { title: 'Clash', head_ref: 'clash' })
    const state = async () => (await changeRequests.get(project.project_id, cr.cr_id)).status
    const item = page.getByRole('list', { name: 'Needs you' }).getByRole('listitem', { name: 'Clash' })
    await item.getByRole('button', { name: 'Done' }).click()
    await item.waitFor({ state: 'detached' })
    expect((await platform.client.inbox.list({ kind: 'change_request' })).items).toEqual([])
    await page.goto(at('/manifest'))
    await page.getByText('Valid: a merge takes it as it is.').waitFor()
    await page.goto(at('/change-requests'))
    await page.getByRole('link', { name: 'Clash' }).click()
    await page.getByRole('heading', { name: 'Conflicts' }).waitFor()
    await page.getByRole('listitem').getByText('hello.txt').waitFor()
    expect(await page.getByRole('button', { name: 'Merge' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor()
    expect(await state()).toBe('open')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('Clash of greetings')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Clash of greetings' }).waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('Closed. The branch').waitFor()
    expect(await state()).toBe('closed')
    await page.getByRole('link', { name: 'Change requests' }).first().click()
    await page.getByLabel('Status').selectOption('closed')
    await page.getByRole('link', { name: 'Clash' }).waitFor()
  })
}

/** Through the dialog that says what will happen. */
async function merge(): Promise<void> {
  const { page } = watched
  await page.getByRole('region', { name: 'Merge' }).getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('button', { name: 'Confirm merge' }).click()
}

/** A branch with one file, from where the default branch began. */
async function push(branch: string, file: string, content: string): Promise<void> {
  const clone = join(platform.place.root, branch)
  const { token } = platform
  await git(['clone', '-q', project.repo_url, clone], { token })
  const [first = ''] = (await git(['rev-list', '--max-parents=0', 'HEAD'], { cwd: clone })).split('\n')
  await git(['checkout', '-q', '-b', branch, first], { cwd: clone })
  await writeFile(join(clone, file), content)
  await git(['add', '-A'], { cwd: clone })
  await git(['commit', '-q', '-m', 'Greet in another way'], { cwd: clone })
  await git(['push', '-q', 'origin', branch], { cwd: clone, token })
}

/** The tip of the default branch by git itself. */
async function tip(): Promise<string> {
  const text = await git(['ls-remote', project.repo_url, 'refs/heads/main'], { token: platform.token })
  return text.split('\t')[0] ?? ''
}
