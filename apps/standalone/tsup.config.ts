import { defineConfig } from 'tsup'
import { deployable } from '../../tsup.base.ts'
import { copyDocsAssets } from '../api/docs-assets.ts'

export default defineConfig(
  deployable({
    entry: { main: 'src/main.ts', demo: 'src/demo/main.ts' },
    onSuccess: () => copyDocsAssets('dist'),
  }),
)
