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

/**
 * Read at every start of a sandbox, so it is kept short, and what begins first is a file apart from what it need not wait
 * for; names stay, for the traces of defects.
 */
export function daemonProgram(more: Options = {}): Options {
  return deployable({
    splitting: true,
    esbuildOptions: (options) => {
      options.minifyWhitespace = true
      options.minifySyntax = true
      options.chunkNames = 'svc-agent-[hash]'
    },
    ...more,
  })
}

export default defineConfig([daemonProgram({ clean: ['!pi/**'] }), piServer('dist/pi')])
