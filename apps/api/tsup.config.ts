import { defineConfig } from 'tsup'
import { deployable, manifestWorker } from '../../tsup.base.ts'
import { copyDashboard } from './dashboard-files.ts'
import { copyDocsAssets } from './docs-assets.ts'

export default defineConfig(({ outDir = 'dist' }) =>
  deployable({
    // A command of the operator loads the chunks that it needs, and not the whole API.
    splitting: true,
    entry: { main: 'src/main.ts', ...manifestWorker },
    async onSuccess() {
      await Promise.all([copyDocsAssets(outDir), copyDashboard(outDir)])
    },
  }),
)
