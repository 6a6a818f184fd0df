import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { onceARun } from '../../../../scripts/once-a-run.ts'
import { nodeBanner } from '../../../../tsup.base.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** The folder of the bundled command. */
export function bundledCli(): Promise<string> {
  return onceARun('svc-cli', (outdir) =>
    build({
      entryPoints: [main],
      outdir,
      bundle: true,
      format: 'esm',
      platform: 'node',
      splitting: true,
      banner: { js: nodeBanner },
    }),
  )
}
