import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { harnessStore } from '@svc/sandbox/providers'
import { harnessLocks, runHarnessFiles } from '@svc/sandbox-worker'
import { placeOfSandboxes } from '../data-dir.ts'

// Run by `svc harnesses verify`, `export` and `import`: JSON or an archive on stdout, the reason of a failure on stderr.
const appDir = dirname(dirname(fileURLToPath(import.meta.url)))
const root = resolve(process.env.SVC_DATA_DIR ?? '.data')
const sandboxes = process.env.SVC_SANDBOXES_DIR ?? (await placeOfSandboxes(root)).folder
try {
  await runHarnessFiles(process.argv.slice(2), {
    store: harnessStore(sandboxes),
    locks: harnessLocks(appDir),
    stdin: process.stdin,
    stdout: process.stdout,
  })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
