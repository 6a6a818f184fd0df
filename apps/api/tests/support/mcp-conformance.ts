import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'

const require = createRequire(import.meta.url)

/**
 * The public conformance suite of the protocol as one file in `folder`. It asks `fs` for a name that Node has from 22
 * on, for a command that is not used here, so it gets one that finds nothing.
 */
export async function bundleConformance(folder: string): Promise<string> {
  const outfile = join(folder, 'conformance.mjs')
  await build({
    entryPoints: [require.resolve('@modelcontextprotocol/conformance/dist/index.js')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    plugins: [
      {
        name: 'fs-of-node-22',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^fs$/ }, ({ importer }) =>
            importer.includes('conformance') ? { path: 'fs', namespace: 'node-22' } : undefined,
          )
          onLoad({ filter: /.*/, namespace: 'node-22' }, () => ({
            contents: "export * from 'node:fs'; export const globSync = () => []",
          }))
        },
      },
    ],
  })
  return outfile
}

export interface Verdict {
  readonly code: number
  readonly output: string
}

/** Runs every scenario for servers against `url`; `baseline` names those that must fail, and no others may. */
export function judgeServer(suite: string, url: string, baseline: string): Promise<Verdict> {
  const args = [suite, 'server', '--suite', 'all', '--url', url, '--expected-failures', baseline]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, output: stdout + stderr })
    })
  })
}
