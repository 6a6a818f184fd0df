import { writeFile } from 'node:fs/promises'
import { defineConfig, type Options } from 'tsup'
import { deployable } from '../../tsup.base.ts'

/** The program that runs pi: a folder of its own, since pi looks for its name and version beside itself. */
export function piServer(outDir: string): Options {
  const base = deployable()
  return {
    ...base,
    entry: { main: 'src/runtimes/pi/server/main.ts' },
    outDir,
    minify: true,
    sourcemap: false,
    external: ['koffi'],
    // Parts of pi declare these names themselves, which `const` would not bear.
    banner: {
      js: [
        "import { createRequire as __createRequire } from 'node:module';",
        "import { fileURLToPath as __fileURLToPath } from 'node:url';",
        'var require = __createRequire(import.meta.url);',
        'var __filename = __fileURLToPath(import.meta.url);',
        "var __dirname = __fileURLToPath(new URL('.', import.meta.url));",
      ].join('\n'),
    },
    onSuccess: () =>
      writeFile(`${outDir}/package.json`, '{ "name": "pi", "version": "0.74.2", "type": "module" }\n'),
  }
}

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** What every start would read and no daemon uses: the messages of zod in other languages. */
const withoutLocales: Plugin = {
  name: 'without-locales',
  setup: (build) => {
    build.onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, () => ({
      path: 'zod-locales',
      namespace: 'without-locales',
    }))
    build.onLoad({ filter: /.*/, namespace: 'without-locales' }, () => ({ contents: 'export {}' }))
  },
}

/** Read at every start of a sandbox, so it is kept short; names stay, for the traces of defects. */
const daemon = deployable({
  esbuildPlugins: [withoutLocales],
  clean: ['!pi/**'],
  esbuildOptions: (options) => {
    options.minifyWhitespace = true
    options.minifySyntax = true
  },
})

export default defineConfig([daemon, piServer('dist/pi')])
