import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Options } from 'tsup'
import { deployable } from '../../tsup.base.ts'
import { asPrograms } from './code-cache/as-programs.ts'
import { unusedByPi } from './code-cache/unused-by-pi.ts'

const source = fileURLToPath(new URL('src', import.meta.url))

/**
 * `main.js` loads what is named in `entry`, and that loads the others. What begins first is a file apart from what it need
 * not wait for, and each can have a code cache beside it.
 */
function programs(load: string, entry: Record<string, string>, more: Options): Options {
  const base = deployable()
  return {
    ...base,
    entry,
    splitting: true,
    banner: {},
    ...more,
    esbuildPlugins: [...(base.esbuildPlugins ?? []), ...(more.esbuildPlugins ?? []), asPrograms(load)],
  }
}

/** The program that runs pi: a folder of its own, since pi looks for its name and version beside itself. */
export function piServer(outDir: string, more: Options = {}): Options {
  const server = join(source, 'runtimes/pi/server')
  return programs(
    join(server, 'load.ts'),
    { start: join(server, 'main.ts') },
    {
      outDir,
      minify: true,
      sourcemap: false,
      external: ['koffi'],
      esbuildPlugins: [unusedByPi],
      onSuccess: () =>
        writeFile(`${outDir}/package.json`, '{ "name": "pi", "version": "0.74.2", "type": "module" }\n'),
      ...more,
    },
  )
}

/** Read at every start of a sandbox, so it is kept short; names stay, for the traces of defects. */
export function daemonProgram(more: Options = {}): Options {
  return programs(
    join(source, 'load.ts'),
    { 'svc-agent-start': join(source, 'main.ts') },
    {
      esbuildOptions: (options) => {
        options.minifyWhitespace = true
        options.minifySyntax = true
        options.chunkNames = 'svc-agent-[hash]'
      },
      ...more,
    },
  )
}

export default defineConfig([daemonProgram({ clean: ['!pi/**'] }), piServer('dist/pi')])
