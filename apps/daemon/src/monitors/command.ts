import { settled } from '@svc/timing'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { endFamily, familyVariable } from '../runtimes/process-family.ts'

export interface RunningCommand {
  readonly output: Readable
  /** Its exit, with the end of its stderr. */
  readonly exited: Promise<string>
  /** Ends it and everything that it started. */
  end(): Promise<void>
}

const politeMs = 1_000
const maxTailChars = 1_000

/** Runs `sh -c <run>` in the workspace, in a process group of its own. */
export function startCommand(parts: {
  readonly run: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly owner: string
}): RunningCommand {
  const family = `${parts.owner}/${randomUUID()}`
  const child = spawn('sh', ['-c', parts.run], {
    cwd: parts.cwd,
    env: { ...parts.env, [familyVariable]: family },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let words = ''
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    words = `${words}${stripVTControlCharacters(text)}`.slice(-maxTailChars)
  })
  child.stderr.on('error', () => undefined)
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`))
    child.once('exit', (code, signal) => {
      const how = signal ?? `exit ${code}`
      // The output that was written is read by then; a child that holds the pipe is not waited for.
      setTimeout(() => resolve(words.trim() === '' ? how : `${how}: ${words.trim()}`), 50)
    })
  })
  return {
    output: child.stdout,
    exited,
    end: async () => {
      const { pid } = child
      if (pid !== undefined && child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit')
        signalGroup(pid, 'SIGTERM')
        await settled(politeMs, gone)
      }
      if (pid !== undefined) signalGroup(pid, 'SIGKILL')
      await endFamily(family)
    },
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // No process is left in the group.
  }
}
