import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { createStubTools, type StubTools } from '../../src/testing/index.ts'

const entry = fileURLToPath(new URL('../../../../apps/appd/src/main.ts', import.meta.url))

/** Tools with the real parent of programs, bundled as its own build does it. */
export async function createAppdTools(): Promise<StubTools> {
  const stub = await createStubTools()
  const outfile = join(stub.sources.agent_bundle, '../appd.mjs')
  await build({
    ...{ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
  })
  return { ...stub, sources: { ...stub.sources, appd_bundle: outfile } }
}
