import { join } from 'node:path'
import type { Options } from 'tsup'
import { programEnd, programStart } from '../src/shared/code-cache.ts'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * Makes of every file that is built one that `loadProgram` runs, since V8 gives and takes the data of scripts, not of
 * modules; and `main.js` of the file `load`, which stays a module. Source maps, where there are any, are those of the result.
 */
export const asPrograms = (load: string): Plugin => ({
  name: 'as-programs',
  setup: (build) => {
    const {
      minifySyntax = false,
      minifyWhitespace = false,
      outdir = 'dist',
      target = 'esnext',
    } = build.initialOptions
    const small = { platform: 'node', target, minifySyntax, minifyWhitespace } as const
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const file of outputFiles.filter(({ path }) => path.endsWith('.js'))) {
        const drawn = outputFiles.find(({ path }) => path === `${file.path}.map`)
        const { code, map } = await build.esbuild.transform(
          `${file.text}${drawn ? inline(drawn.text) : ''}`,
          {
            ...small,
            format: 'cjs',
            define: { 'import.meta.url': '__url' },
            supported: { 'dynamic-import': false },
            sourcemap: drawn ? 'external' : false,
          },
        )
        file.contents = Buffer.from(`${programStart}\n${code}${programEnd}\n`)
        if (drawn) drawn.contents = Buffer.from(oneLineLater(map))
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

function inline(map: string): string {
  return `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`
}

/** The first line is that of `programStart`. */
function oneLineLater(map: string): string {
  const parsed = JSON.parse(map)
  return JSON.stringify({ ...parsed, mappings: `;${parsed.mappings}` })
}
