import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChromium } from '../apps/api/tests/support/chromium.ts'
import { openPage, settle, type Size, sizes, themes } from './screenshots/browser.ts'
import { startModel } from './screenshots/model.ts'
import { startBuilt } from './screenshots/platform.ts'
import { seed } from './screenshots/seed.ts'
import { documented, everyPage } from './screenshots/shots.ts'
import { story } from './screenshots/story.ts'

/**
 * `npm run screenshots`: pictures of the dashboard for README and docs, of a platform with a written model, in a real
 * browser. `npm run screenshots -- --all <folder>` has every page at both sizes and in both themes, to look at.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const every = process.argv[2] === '--all'
const folder = every ? resolve(process.argv[3] ?? 'screenshots') : join(root, 'docs/images')
await mkdir(folder, { recursive: true })
const model = await startModel(story)
const platform = await startBuilt({
  SVC_MODEL_BASE_URL: model.url,
  SVC_MODEL: 'story',
  SVC_SESSION_CAP: '20',
})
const browser = await startChromium()
try {
  const seeded = await seed(platform)
  const shots = every ? everyPage(seeded) : documented(seeded)
  for (const size of Object.keys(sizes) as Size[]) {
    const page = await openPage(browser, platform.origin, platform.token, size)
    for (const { name, path, shows } of shots) {
      await settle(page, `${platform.origin}/dashboard${path}`, shows)
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`) })
      }
      console.info(`${name} ${size}`)
    }
  }
  if (process.env['SVC_PICTURES_HOLD'] !== undefined) {
    console.info(
      `${platform.origin} ${platform.token} ${JSON.stringify(seeded.sessions)} ${seeded.project.project_id}`,
    )
    await new Promise(() => undefined)
  }
} finally {
  await browser.close()
  await platform.close()
  await model.close()
}
