import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@svc/boot'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { migrateSchema } from '@svc/platform'
import { startChromium } from '../../apps/api/tests/support/chromium.ts'
import { startModel } from '../../scripts/screenshots/model.ts'
import { startBuilt } from '../../scripts/screenshots/platform.ts'
import { runBench, type Verdict } from '../report.ts'
import { loads } from './loads.ts'
import { review } from './review.ts'
import { sessions } from './sessions.ts'
import { openTab } from './tab.ts'
import { manyFiles } from './many-files.ts'
import { counting, streaming } from './words.ts'

/** See README.md. */
await runBench('dashboard', async ({ quick }) => {
  const turns = quick ? 3 : 10
  const model = await startModel({ [counting.prompt]: [{ say: counting.say }] })
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-dashboard-'))
  const log = createLogger({ name: 'bench', level: 'error' })
  const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log })
  const DATABASE_URL = postgres.connection_string
  await migrateSchema({ DATABASE_URL })
  const platform = await startBuilt({ SVC_MODEL_BASE_URL: model.url, SVC_MODEL: 'words', DATABASE_URL })
  const browser = await startChromium()
  try {
    const change = await manyFiles(platform, 300)
    const tab = await openTab(browser, platform)
    const figures = {
      loads: await loads(tab, { turns, idle_ms: quick ? 5_000 : 20_000 }),
      review: await review(tab, change, turns),
      words: await streaming(tab),
      sessions: await sessions(tab, DATABASE_URL, quick ? 1_000 : 10_000),
    }
    const verdicts = Object.values(figures).flatMap((figure): readonly Verdict[] => figure.verdicts)
    return { verdicts, figures }
  } finally {
    await browser.close()
    await platform.close()
    await postgres.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    await model.close()
  }
})
