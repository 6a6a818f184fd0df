import type { Writable } from 'node:stream'
import { version } from './version.ts'

const argv = process.argv.slice(2)

// The reader of a pipe went away: the output has no reader left.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.stderr.on('error', () => undefined)

if (argv.length === 1 && ['version', '--version', '-V'].includes(argv[0] ?? '')) {
  console.log(version)
} else {
  const { runProcess } = await import('./run-process.ts')
  const outcome = await runProcess(argv)
  await Promise.all([written(process.stdout), written(process.stderr)])
  // Node by itself would first wait for connections that it keeps for a next request.
  process.exit({ done: 0, failed: 1, misused: 2 }[outcome])
}

/** Waits until all output is out, or has no reader any more. */
async function written(stream: Writable): Promise<void> {
  if (!stream.writable) return
  await new Promise<void>((resolve) => void stream.write('', () => resolve()))
}
