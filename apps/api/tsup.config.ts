import { defineConfig } from 'tsup'
import { deployable } from '../../tsup.base.ts'
import { copyDocsAssets } from './docs-assets.ts'

export default defineConfig((options) =>
  deployable({ onSuccess: () => copyDocsAssets(options.outDir ?? 'dist') }),
)
