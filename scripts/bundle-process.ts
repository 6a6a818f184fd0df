import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { nodeBanner } from '../tsup.base.ts'

/**
 * One file of a test's own process and all that it imports, for tests that start it again and again: it is compiled
 * once rather than at each start. Resolves with its path in `folder`.
 */
export async function bundleProcess(entry: URL, folder: string): Promise<string> {
  const path = fileURLToPath(entry)
  const outfile = join(folder, `${basename(path, '.ts')}.mjs`)
  await build({
    entryPoints: [path],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['pg-native', 'cpu-features', '@node-rs/argon2', '*.node'],
    banner: { js: nodeBanner },
    // Beside it: one in the file itself is read at each start.
    sourcemap: 'linked',
    logLevel: 'error',
  })
  return outfile
}
