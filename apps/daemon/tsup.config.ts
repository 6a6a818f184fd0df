import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Options } from 'tsup'
import { deployable } from '../../tsup.base.ts'
import { asPrograms } from './code-cache/as-programs.ts'
import { type RuntimeBuild, runtimeBuilds } from './src/runtimes/builds.ts'

const source = fileURLToPath(new URL('src', import.meta.url))

/**
 * `main.js` loads what is named in `entry`, and that loads the others. The program that begins first is a file
 * apart from those that it need not wait for, and each can have a code cache beside it.
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

/** The program of a runtime, in a folder of its own. */
export function runtimeProgram(build: RuntimeBuild, outDir: string, more: Options = {}): Options {
  return programs(
    join(source, 'runtimes/load.ts'),
    { start: build.main },
    {
      outDir,
      minify: true,
      sourcemap: false,
      ...build.options,
      onSuccess: () =>
        writeFile(`${outDir}/package.json`, `${JSON.stringify({ ...build.package, type: 'module' })}\n`),
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

const built = Object.entries(runtimeBuilds)

export default defineConfig([
  daemonProgram({ clean: built.map(([name]) => `!${name}/**`) }),
  ...built.map(([name, build]) => runtimeProgram(build, `dist/${name}`)),
])
