import { join } from 'node:path'
import type { Options } from 'tsup'
import { programEnd, programStart } from '../src/shared/code-cache.ts'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * Makes of every file that is built one that `loadProgram` runs, since V8 gives and takes the data of scripts, not of
 * modules; and `main.js` of the file `load`, which stays a module.
 */
export const asPrograms = (load: string): Plugin => ({
  name: 'as-programs',
  setup: (build) => {
    const { minifySyntax = false, minifyWhitespace = false, outdir = 'dist' } = build.initialOptions
    const small = { platform: 'node', target: 'node20', minifySyntax, minifyWhitespace } as const
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const file of outputFiles) {
        const { code } = await build.esbuild.transform(file.text, {
          ...small,
          format: 'cjs',
          define: { 'import.meta.url': '__url' },
          supported: { 'dynamic-import': false },
        })
        file.contents = Buffer.from(`${programStart}${code}${programEnd}\n`)
      }
      const main = await build.esbuild.build({
        ...small,
        entryPoints: [load],
        outfile: join(outdir, 'main.js'),
        format: 'esm',
        bundle: true,
        write: false,
      })
      outputFiles.push(...main.outputFiles)
    })
  },
})
