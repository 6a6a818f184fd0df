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
    await page.getByLabel('Message').fill(script(...steps))
    await page.getByRole('button', { name: 'Fire now' }).click()
    await page.getByRole('link', { name: 'see its session' }).click()
    await page.getByRole('heading', { name: 'Session' }).waitFor()
    // The output of the last tool, which is folded away.
    await page.getByRole('log').getByText('Opened #').first().waitFor({ state: 'attached' })
    const opened = await platform.client.projects.sessions.list(project.project_id)
    expect(opened.items).toHaveLength(1)
    expect(page.url()).toBe(at(`/sessions/${opened.items[0]?.session_id}`))
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.getByRole('region', { name: 'Sessions' }).getByText('trigger').waitFor()
  })

  test('what an agent opened is read, refused when the base has moved, and merged as it is shown', async () => {
    const { page } = watched
    await page.getByRole('link', { name: 'Change requests' }).click()
    await page.getByRole('link', { name: 'Greeting' }).click()
    await page.getByText('It merges cleanly: the base moves forward').waitFor()
    await page.getByLabel('Changes of hello.txt').getByText('+from the dashboard').waitFor()
    const moved = await tip()
    await platform.client.projects.triggers.update(project.project_id, 'by-hand', { name: 'Moves the base' })
    await page.getByRole('button', { name: 'Merge' }).click()
    const refusal = page.getByRole('alert')
    await refusal.getByText(/[A-Z_]+ request \S+/).waitFor()
    expect(await tip()).not.toBe(moved)
    const before = await tip()
    await page.getByRole('button', { name: 'as it is now' }).click()
    await page.getByText('a merge commit joins').waitFor()
    expect(await refusal.count()).toBe(0)
    await page.getByRole('button', { name: 'Merge' }).click()
    await page.getByText('Merged:').waitFor()
    const after = await tip()
    expect(after).not.toBe(before)
    expect(await page.getByText('Merged:').innerText()).toContain(after)
    const { content } = await platform.client.projects.files.read(project.project_id, { path: 'hello.txt' })
    expect(content).toContain('from the dashboard')
  })

  test('one that conflicts cannot be merged there, and is closed', async () => {
    const { page } = watched
    await push('clash', 'hello.txt', 'another greeting\n')
    const { changeRequests } = platform.client.projects
    const cr = await changeRequests.create(project.project_id, { title: 'Clash', head_ref: 'clash' })
    await page.goto(at('/change-requests'))
    await page.getByRole('link', { name: 'Clash' }).click()
    await page.getByText('It conflicts with the base').waitFor()
    await page.getByRole('listitem').getByText('hello.txt').waitFor()
    expect(await page.getByRole('button', { name: 'Merge' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Closed. The branch').waitFor()
    expect(await changeRequests.get(project.project_id, cr.cr_id)).toMatchObject({ status: 'closed' })
    await page.getByRole('link', { name: 'Change requests' }).click()
    await page.getByLabel('Status').selectOption('closed')
    await page.getByRole('link', { name: 'Clash' }).waitFor()
  })
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
