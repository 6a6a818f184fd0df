import { spawn } from 'node:child_process'
import type { ProgramExit } from '@svc/sandbox/guest'
import { settled } from '@svc/timing'
import type { Lines } from '../lines/lines.ts'

/** Time for what was printed last to arrive, where something else still holds the pipes open. */
const flushMs = 500

export interface RunParts {
  readonly command: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly lines: Pick<Lines, 'stream'>
}

/** One life of a program, in a process group of its own. */
export interface Run {
  readonly ended: Promise<ProgramExit>
  /** Asks the group to end, and ends it by force after `graceMs`. */
  end(graceMs: number): Promise<void>
}

/** Rejects where the command cannot be started at all. */
export async function startRun({ command, folder, environment, lines }: RunParts): Promise<Run> {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const streams = [lines.stream('stdout'), lines.stream('stderr')] as const
  child.stdout.on('data', (chunk: Buffer) => streams[0].push(chunk))
  child.stderr.on('data', (chunk: Buffer) => streams[1].push(chunk))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const exited = new Promise<ProgramExit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal, at: new Date().toISOString() })),
  )
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve).once('error', reject)
  })
  child.on('error', () => undefined)
  const { pid = 0 } = child
  const ended = exited.then(async (exit) => {
    // The group may have more members, which would keep the port.
    signalGroup(pid, 'SIGKILL')
    await settled(flushMs, closed)
    child.stdout.destroy()
    child.stderr.destroy()
    for (const stream of streams) stream.end()
    return exit
  })
  return {
    ended,
    end: async (graceMs) => {
      signalGroup(pid, 'SIGTERM')
      const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs)
      await ended
      clearTimeout(timer)
    },
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // Its last member is gone.
  }
}
