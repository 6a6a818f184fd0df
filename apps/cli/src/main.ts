import type { Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { version } from './version.ts'

const argv = process.argv.slice(2)

// The reader of a pipe went away: nobody is left to tell.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.stderr.on('error', () => undefined)

if (argv.length === 1 && ['version', '--version', '-V'].includes(argv[0] ?? '')) {
  console.log(version)
} else {
  // Node's HTTP client brings its parser as WebAssembly, which V8 would optimise for longer than most commands run.
  setFlagsFromString('--liftoff-only')
  const { runProcess } = await import('./run-process.ts')
  const outcome = await runProcess(argv)
  await Promise.all([written(process.stdout), written(process.stderr)])
  // Node by itself would first wait for what it still compiles of its HTTP client, longer than most commands take.
  process.exit({ done: 0, failed: 1, misused: 2 }[outcome])
}

/** All that was said is out, or nobody reads it any more. */
async function written(stream: Writable): Promise<void> {
  if (!stream.writable) return
  await new Promise<void>((resolve) => void stream.write('', () => resolve()))
}
