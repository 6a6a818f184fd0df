import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions } from 'esbuild'
import { manifestWorker, nodeBanner } from '../tsup.base.ts'
import { onceARun } from './once-a-run.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * One file of a test's own process and all that it imports, for tests that start it again and again: it is compiled
 * once in a run rather than at each start. Resolves with its path.
 */
export async function bundleProcess(entry: URL): Promise<string> {
  const path = fileURLToPath(entry)
  const key = relative(root, path).replaceAll('/', '-')
  const folder = await onceARun(key, (folder) => build(bundleOptions(path, folder)))
  return join(folder, `${basename(path, '.ts')}.mjs`)
}

/** The bundle of a program for this machine, in a folder of its own. */
export const bundleOptions = (path: string, folder: string): BuildOptions => ({
  entryPoints: { [basename(path, '.ts')]: path, ...manifestWorker },
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  external: ['pg-native', 'cpu-features', '@node-rs/argon2', '*.node'],
  banner: { js: nodeBanner },
  // Beside it: one in the file itself is read at each start.
  sourcemap: 'linked',
  logLevel: 'error',
})
