import { startChromium } from '../../apps/api/tests/support/chromium.ts'
import { startBuilt } from '../../scripts/screenshots/platform.ts'
import { runBench } from '../report.ts'
import { loads } from './loads.ts'
import { review } from './review.ts'
import { openTab } from './tab.ts'
import { manyFiles } from './many-files.ts'

/** See README.md. */
await runBench('dashboard', async ({ quick }) => {
  const turns = quick ? 3 : 10
  const platform = await startBuilt()
  const browser = await startChromium()
  try {
    const change = await manyFiles(platform, 300)
    const tab = await openTab(browser, platform)
    const figures = {
      loads: await loads(tab, { turns, idle_ms: quick ? 5_000 : 20_000 }),
      review: await review(tab, change, turns),
    }
    return { verdicts: [...figures.loads.verdicts, ...figures.review.verdicts], figures }
  } finally {
    await browser.close()
    await platform.close()
  }
})
