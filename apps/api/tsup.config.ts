import { defineConfig } from 'tsup'
import { deployable, manifestWorker } from '../../tsup.base.ts'
import { copyDashboard } from './dashboard-files.ts'
import { copyDocsAssets } from './docs-assets.ts'

export default defineConfig(({ outDir = 'dist' }) =>
  deployable({
    entry: { main: 'src/main.ts', ...manifestWorker },
    async onSuccess() {
      await Promise.all([copyDocsAssets(outDir), copyDashboard(outDir)])
    },
  }),
)
