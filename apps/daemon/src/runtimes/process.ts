import { settled } from '@svc/timing'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { whenAborted } from '../shared/when-aborted.ts'
import { endFamily, familyVariable } from './process-family.ts'

/** A program, its arguments and its environment. */
export interface RuntimeCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** A process of a runtime, with every other that it starts. */
export interface RuntimeProcess {
  readonly pid: number | undefined
  /** Resolves when it has ended, with the lines that it printed last. */
  readonly exited: Promise<string>
  /** Ends it and all that it has started. */
  stop(): Promise<void>
}

export interface SpawnedProcess {
  readonly id: string
  readonly child: ChildProcess & {
    readonly stdin: Writable
    readonly stdout: Readable
    readonly stderr: Readable
  }
}

const logTailChars = 2000
const stopTimeoutMs = 1500

/** Starts a program under its owner's name, so that nothing of it can be left behind. */
export function spawnRuntime(owner: string, { file, args, env, cwd }: RuntimeCommand): SpawnedProcess {
  const id = `${owner}/${randomUUID()}`
  const child = spawn(file, [...args], {
    cwd,
    env: { ...env, [familyVariable]: id },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // Input for a process that has ended is lost; `exited` tells that it ended.
  child.stdin.on('error', () => undefined)
  return { id, child }
}

/** A program may be owed by an image, or by the repository. */
function missing(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') return ''
  return '. The sandbox has no such program: the image of its template, or the repository, has to bring it'
}

interface RunningProcess {
  readonly id: string
  readonly child: ChildProcess
}

/** Follows a process to its end. Each line that it prints for people is handed to `onLine`. */
export function followProcess({ id, child }: RunningProcess): RuntimeProcess & {
  onLine(line: string): void
} {
  let tail = ''
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) =>
      resolve(`The agent runtime could not be started: ${error.message}${missing(error)}`),
    )
    child.once('exit', (code, signal) => {
      const said = (): string => (tail === '' ? '' : `: ${tail.trim()}`)
      // Not `close`: a command that outlives the runtime may hold its pipes open. The output is read by then.
      setTimeout(() => resolve(`The agent runtime ended (${signal ?? `exit ${code}`})${said()}`), 50)
    })
  })
  return {
    pid: child.pid,
    exited,
    onLine: (line) => {
      tail = `${tail}${stripVTControlCharacters(line)}\n`.slice(-logTailChars)
    },
    stop: () => endProcess({ id, child }),
  }
}

/** Waits until a process can be asked. Throws why it does not get so far, with nothing of it left. */
export async function becomeReady(
  process: RuntimeProcess,
  ready: Promise<unknown>,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const decided = Promise.race([
    ready.then(() => null),
    process.exited,
    whenAborted(signal).then(() => 'The agent runtime is not wanted any more'),
  ])
  const problem = (await settled(timeoutMs, decided))
    ? await decided
    : `The agent runtime did not get ready within ${timeoutMs / 1000} s`
  if (problem === null) return
  await process.stop()
  throw new Error(problem)
}

/** Politely first, then the whole group, then what of its family is left. */
export async function endProcess({ id, child }: RunningProcess): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    signalGroup(child.pid, 'SIGTERM')
    await settled(stopTimeoutMs, gone)
  }
  if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
  await endFamily(id)
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is empty.
  }
}
