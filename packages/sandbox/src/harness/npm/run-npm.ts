import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { lacksFiles, maxOutputTail, npmFailure, toInstallError } from '../install-error.ts'
import type { Lock } from '../lock.ts'
import { findNpm, npmNamed } from './find-npm.ts'
import { npmEnvironment } from './npm-environment.ts'

/** The programs and settings of an install, which are the operator's. */
export interface NpmSettings {
  /** The node that the harness will run on; the platform's own by default. */
  readonly node?: string | undefined
  /** The npm to use, instead of the one beside node or in PATH. */
  readonly npm?: string | undefined
  /** The environment that the settings of the registry are taken from. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

/** Enough of the output to hold the code at its beginning together with the last words. */
const maxOutput = 16 * maxOutputTail

/** Installs the lock file of `scratch/tree` there, with a home and a cache of its own beside it. */
export async function npmCi(scratch: string, lock: Lock, settings: NpmSettings): Promise<void> {
  const { env, signal, node = process.execPath } = settings
  const places = { home: join(scratch, 'home'), cache: join(scratch, 'cache') }
  for (const place of Object.values(places)) await mkdir(place, { recursive: true })
  const npm =
    settings.npm === undefined ? await findNpm(node, env['PATH']) : await npmNamed(node, settings.npm)
  const environment = await npmEnvironment(env, node, places)
  signal?.throwIfAborted()
  const args = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund']
  const child = spawn(npm.file, [...npm.args, ...args], {
    cwd: join(scratch, 'tree'),
    env: environment,
    // A group of its own, so that its children end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-maxOutput)))
  const kill = (): void => killGroup(child.pid)
  signal?.addEventListener('abort', kill, { once: true })
  try {
    const [code]: unknown[] = await once(child, 'close')
    signal?.throwIfAborted()
    if (code !== 0 || lacksFiles(output)) throw npmFailure(output, lock)
  } catch (error) {
    signal?.throwIfAborted()
    throw toInstallError(error)
  } finally {
    signal?.removeEventListener('abort', kill)
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
