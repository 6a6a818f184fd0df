import { expect, test } from 'vitest'
import { platform, project, watched } from './world.ts'

/** The colour of the icon near its lower corner, as the browser draws it under the policy of the page. */
const corner = `(async () => {
  const image = new Image()
  image.src = document.querySelector('#icon').href
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 32 })
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0, 32, 32)
  return context.getImageData(13, 24, 1, 1).data.slice(0, 3).join(' ')
})()`
const plain = '36 88 197'

/** The icon of the tab. */
export function testIcon(): void {
  const page = () => watched.page

  test('the icon of the tab has the number of what waits on it, and is plain where nothing does', async () => {
    const { inbox, projects } = platform.client
    const waits = async () => (await inbox.count()).total > 0
    await page().goto(`${platform.origin}/dashboard/projects`)
    await page().getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    const item = { title: 'For the icon', summary: 'Waits.', files: ['svc.yaml'] }
    const { review_id } = await projects.reviews.submit(project.project_id, item)
    await expect.poll(() => page().title()).toMatch(/^\(\d+\) Projects/)
    await expect.poll(() => page().evaluate<string>(corner)).not.toBe(plain)
    await projects.reviews.withdraw(project.project_id, review_id)
    for (const { item_id, version } of (await inbox.list({})).items)
      await inbox.mark(item_id, { version, state: 'done' })
    await expect.poll(waits).toBe(false)
    await page().goto(`${platform.origin}/dashboard/projects`)
    await expect.poll(() => page().title()).toMatch(/^Projects/)
    await expect.poll(() => page().evaluate<string>(corner)).toBe(plain)
  })
}
