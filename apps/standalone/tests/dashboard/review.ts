import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git } from '../support/clients/git.ts'
import { platform, watched } from './world.ts'

const count = 300
const paths = Array.from({ length: count }, (_, n) => `src/part-${String(n).padStart(3, '0')}.ts`)
const last = paths.at(-1) ?? ''

/** Of three kinds in turn: short, of a hundred lines, and with lines that wrap more than once. */
const textOf = (n: number) =>
  [
    'export const one = 1\n',
    Array.from({ length: 100 }, (_, line) => `export const value${line} = ${n}\n`).join(''),
    `// ${'a line that is long '.repeat(20)}\n`.repeat(10),
  ][n % 3] ?? ''

/** A review of many files, gone through by keys. */
export function testReview(): void {
  const page = () => watched.page
  const changes = (path: string) => page().getByLabel(`Changes of ${path}`)
  const scrolled = () =>
    page().evaluate<number>('document.documentElement.scrollHeight - innerHeight - scrollY')

  test('End goes to the last of 300 files in one press and stays there, and so does Home to the first', async () => {
    const { project_id, repo_url } = await platform.client.projects.provision({ name: 'Many files' })
    await pushMany(repo_url)
    const { changeRequests } = platform.client.projects
    const { number } = await changeRequests.create(project_id, { title: 'Many files', head_ref: 'many' })
    await page().goto(
      `${platform.origin}/dashboard/projects/${project_id}/change-requests/${number}?tab=files`,
    )
    await changes(paths[0] ?? '').waitFor()
    await page().keyboard.press('End')
    await changes(last).waitFor({ timeout: 5_000 })
    // Colours come after the lines, and heights are learned by then.
    await page().waitForTimeout(1_500)
    expect(Math.abs(await scrolled())).toBeLessThanOrEqual(1)
    expect(await changes(last).isVisible()).toBe(true)
    await expect.poll(() => page().url()).toContain(encodeURIComponent(last))
    await page().keyboard.press('k')
    await expect.poll(() => page().url()).toContain('part-298')
    await inSight(paths.at(-2) ?? '')
    await page().keyboard.press('Home')
    await changes(paths[0] ?? '').waitFor({ timeout: 5_000 })
    await page().waitForTimeout(500)
    expect(await page().evaluate<number>('scrollY')).toBe(0)
    await page().keyboard.press('j')
    await expect.poll(() => page().url()).toContain('part-001')
    await inSight(paths[1] ?? '')
    // A phone has room for one at a time.
    await page().setViewportSize({ width: 390, height: 844 })
    page().setDefaultTimeout(15_000)
    await page().getByText('File 2 of 300').waitFor()
    expect(
      await page()
        .getByRole('region', { name: /^src\/part-/ })
        .count(),
    ).toBe(1)
    await page().getByRole('button', { name: 'Next file' }).click()
    await page().getByText('File 3 of 300').waitFor()
    await changes(paths[2] ?? '').waitFor()
    await swipe(320, 40)
    await page().getByText('File 4 of 300').waitFor()
    await swipe(40, 320)
    await page().getByText('File 3 of 300').waitFor()
    await page().keyboard.press('End')
    await page().getByText('File 300 of 300').waitFor()
    await changes(last).waitFor()
    expect(await page().getByRole('button', { name: 'Next file' }).isDisabled()).toBe(true)
    await page().setViewportSize({ width: 1280, height: 800 })
    page().setDefaultTimeout(60_000)
    await platform.client.projects.archive(project_id)
  })

  /** A finger that goes sideways over the file. */
  async function swipe(from: number, to: number): Promise<void> {
    const touch = await page().context().newCDPSession(page())
    const at = (x: number) => ({ touchPoints: [{ x, y: 400 }] })
    await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at((from + to) / 2) })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(to) })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await touch.detach()
  }

  /** The file stands at the upper edge, give or take what a browser rounds. */
  async function inSight(path: string): Promise<void> {
    const region = page().getByRole('region', { name: path })
    await expect.poll(async () => Math.abs((await region.boundingBox())?.y ?? Infinity)).toBeLessThan(200)
  }
}

async function pushMany(repo_url: string): Promise<void> {
  const { token } = platform
  const cwd = join(platform.place.root, 'many-files')
  await git(['clone', '-q', repo_url, cwd], { token })
  await git(['checkout', '-q', '-b', 'many'], { cwd })
  await mkdir(join(cwd, 'src'), { recursive: true })
  await Promise.all(paths.map((path, n) => writeFile(join(cwd, path), textOf(n))))
  await git(['add', '-A'], { cwd })
  await git(['commit', '-q', '-m', 'Add many files'], { cwd })
  await git(['push', '-q', 'origin', 'many'], { cwd, token })
}
