import { defineConfig } from 'tsup'
import { deployable, manifestWorker } from '../../tsup.base.ts'
import { copyDashboard } from '../api/dashboard-files.ts'
import { copyDocsAssets } from '../api/docs-assets.ts'

export default defineConfig(
  deployable({
    entry: {
      main: 'src/main.ts',
      demo: 'src/demo/main.ts',
      settings: 'src/settings.ts',
      backups: 'src/backups/main.ts',
      'harness-files': 'src/harness-files/main.ts',
      ...manifestWorker,
    },
    async onSuccess() {
      await Promise.all([copyDocsAssets('dist'), copyDashboard('dist')])
    },
  }),
)
