import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git } from '../../support/clients/git.ts'
import { platform, watched } from '../world.ts'

const title = '<img src=x onerror="window.taken=1"> \u202eread it'
const description = [
  '<script>window.taken=1</script><iframe src="javascript:window.taken=1"></iframe>',
  '[one](javascript:window.taken=1) [two](data:text/html;base64,PHNjcmlwdD4=) [three](https://example.com/)',
  '![four](data:image/svg+xml,%3Csvg%20onload=window.taken=1%3E) ![five](https://example.com/a.png)',
].join('\n\n')
const files = {
  'turned-\u202egpj.ts': "export const role = 'user\u202e \u2066// admin\u2069'\n",
  '<b onclick=window.taken=1>.md': '<script>window.taken=1</script>\n',
  'long.txt': `${'x'.repeat(1_000_000)}\n`,
}

/** Words, names and files of somebody who means ill: they are shown, as what they are. */
export function testHostile(): void {
  test('a change request of hostile words and files runs nothing, and hides nothing by signs that turn a text', async () => {
    const { page } = watched
    const { changeRequests, archive, provision } = platform.client.projects
    const { project_id, repo_url } = await provision({ name: 'Of a stranger' })
    await push(repo_url)
    const { number } = await changeRequests.create(project_id, { title, description, head_ref: 'hostile' })
    const address = `${platform.origin}/dashboard/projects/${project_id}/change-requests/${number}`
    await page.goto(address)
    await page.getByRole('heading', { level: 1, name: '<img src=x' }).waitFor()
    await page.getByRole('link', { name: 'three' }).waitFor()
    await nothingRan()
    await page.goto(`${address}?tab=files`)
    await page.getByRole('heading', { name: 'turned-⟨U+202E⟩gpj.ts' }).waitFor()
    await page.getByText('user⟨U+202E⟩ ⟨U+2066⟩// admin⟨U+2069⟩').first().waitFor()
    await page.getByText('<script>window.taken=1</script>').first().waitFor()
    await nothingRan()
    await archive(project_id)
  })

  async function nothingRan(): Promise<void> {
    const { page } = watched
    expect(await page.evaluate('window.taken')).toBe(undefined)
    const made = 'a[href^="javascript:"], a[href^="data:"], main iframe, main script, main img, main b'
    expect(await page.locator(made).count()).toBe(0)
  }
}

async function push(repo_url: string): Promise<void> {
  const { token } = platform
  const cwd = join(platform.place.root, 'hostile')
  await git(['clone', '-q', repo_url, cwd], { token })
  await git(['checkout', '-q', '-b', 'hostile'], { cwd })
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(cwd, name), text)))
  await git(['add', '-A'], { cwd })
  await git(['commit', '-q', '-m', 'Mean ill'], { cwd })
  await git(['push', '-q', 'origin', 'hostile'], { cwd, token })
}
