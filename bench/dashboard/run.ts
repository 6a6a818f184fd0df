import { startChromium } from '../../apps/api/tests/support/chromium.ts'
import { startModel } from '../../scripts/screenshots/model.ts'
import { startBuilt } from '../../scripts/screenshots/platform.ts'
import { runBench } from '../report.ts'
import { loads } from './loads.ts'
import { review } from './review.ts'
import { openTab } from './tab.ts'
import { manyFiles } from './many-files.ts'
import { counting, streaming } from './words.ts'

/** See README.md. */
await runBench('dashboard', async ({ quick }) => {
  const turns = quick ? 3 : 10
  const model = await startModel({ [counting.prompt]: [{ say: counting.say }] })
  const platform = await startBuilt({ SVC_MODEL_BASE_URL: model.url, SVC_MODEL: 'words' })
  const browser = await startChromium()
  try {
    const change = await manyFiles(platform, 300)
    const tab = await openTab(browser, platform)
    const figures = {
      loads: await loads(tab, { turns, idle_ms: quick ? 5_000 : 20_000 }),
      review: await review(tab, change, turns),
      words: await streaming(tab),
    }
    const verdicts = [...figures.loads.verdicts, ...figures.review.verdicts, ...figures.words.verdicts]
    return { verdicts, figures }
  } finally {
    await browser.close()
    await platform.close()
    await model.close()
  }
})
