import { writeFile } from 'node:fs/promises'
import { defineConfig } from 'tsup'
import { deployable } from '../../tsup.base.ts'

// A start costs what it loads: one folder of chunks, of which a command reads its own. It runs from wherever it is copied to.
export default defineConfig((options) => {
  const outDir = options.outDir ?? 'dist'
  return deployable({
    outDir,
    minify: true,
    sourcemap: false,
    splitting: true,
    onSuccess: () => writeFile(`${outDir}/package.json`, '{ "type": "module" }\n'),
  })
})
