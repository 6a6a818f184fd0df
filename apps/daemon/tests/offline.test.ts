import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { builtDaemon } from './support/bundle.ts'
import { defaultRuntime } from '@svc/facts'
import { binaries } from './support/runtime-binary.ts'

const apart = ['--unshare-net', '--dev-bind', '/', '/', '--die-with-parent']
const reason =
  binaries()[defaultRuntime] === undefined
    ? 'no agent runtime for this machine'
    : process.getuid?.() !== 0
      ? 'only root may answer on the port of DNS'
      : spawnSync('bwrap', [...apart, 'true']).status !== 0
        ? 'bubblewrap makes no network namespace here'
        : null
if (reason !== null) console.warn(`skipped: ${reason}`)

test.skipIf(reason !== null)('a session works, and looks up no name, with no network at all', async () => {
  const bundle = await builtDaemon()
  const folder = mkdtempSync(join(tmpdir(), 'svc-offline-'))
  try {
    const [resolver, result] = [join(folder, 'resolv.conf'), join(folder, 'result.json')]
    writeFileSync(resolver, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n')
    const script = fileURLToPath(new URL('./support/offline-run.ts', import.meta.url))
    const run = spawnSync(
      'bwrap',
      [
        ...apart,
        '--ro-bind',
        resolver,
        '/etc/resolv.conf',
        process.execPath,
        '--import',
        'tsx',
        script,
        bundle,
        result,
      ],
      { encoding: 'utf8', cwd: fileURLToPath(new URL('../../..', import.meta.url)) },
    )
    expect(run.stderr).toBe('')
    expect(JSON.parse(readFileSync(result, 'utf8'))).toEqual({
      names: ['proof.invalid'],
      status: 'completed',
      tools: ['hi', 'bash', 'grep'],
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
