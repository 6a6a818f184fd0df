import { defineConfig } from 'tsup'
import { deployable, manifestWorker } from '../../tsup.base.ts'

export default defineConfig(deployable({ entry: { main: 'src/main.ts', ...manifestWorker } }))
