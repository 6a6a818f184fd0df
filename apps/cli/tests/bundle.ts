import { mkdtemp, rename, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { inject } from 'vitest'
import { nodeBanner } from '../../../tsup.base.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The folder of the bundled command. It is built once a run: of files that begin together, the first to end counts. */
export async function bundledCli(): Promise<string> {
  const folder = inject('svc_bundle')
  const dist = join(folder, 'dist')
  if (existsSync(dist)) return dist
  const outdir = await mkdtemp(join(folder, 'building-'))
  await build({
    entryPoints: [main],
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    splitting: true,
    banner: { js: nodeBanner },
  })
  try {
    await rename(outdir, dist)
  } catch (error) {
    if (!existsSync(dist)) throw error
    await rm(outdir, { recursive: true, force: true })
  }
  return dist
}
