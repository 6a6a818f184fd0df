import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { pause } from '../shared/backoff.ts'
import { step } from '../shared/steps.ts'
import { endFamily, familyVariable } from './process-family.ts'
import type { RuntimeLaunch } from './runtime.ts'
import type { WaitingRuntime } from './waiting.ts'
import { goesWord } from './waiting-words.ts'

/** One process of a runtime, from its start to its end. */
export interface Run {
  readonly id: string
  readonly child: ChildProcess
  readonly launch: RuntimeLaunch
  /** True once it answers, or why it does not. */
  readonly ready: Promise<true | string>
  /** Its last words. */
  readonly exited: Promise<string>
}

const lastWordsChars = 2000
const patienceMs = 1500

export function startRun(owner: string, launch: RuntimeLaunch, readyMs: number): Run {
  const id = `${owner}/${randomUUID()}`
  const child = spawn(launch.file, [...launch.args], {
    cwd: launch.cwd,
    env: { ...launch.env, [familyVariable]: id },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  step('runtime_begun')
  return follow({ id, child, launch }, readyMs, (hear) => {
    createInterface({ input: child.stdout }).on('line', hear)
    createInterface({ input: child.stderr }).on('line', hear)
  })
}

/** The process that waited, if it is one for this launch; else it ends, and null is given. */
export async function takeOver(
  waiting: WaitingRuntime,
  launch: RuntimeLaunch,
  readyMs: number,
): Promise<Run | null> {
  const { id, child } = waiting
  const late = pause(readyMs).then(() => false)
  if (!(await Promise.race([waiting.fits(launch), late]))) {
    await endRun({ id, child })
    return null
  }
  let goes = false
  let listens = false
  // Both in either order: it may have listened for long, for nobody.
  const isReady = (line: string): boolean => {
    goes ||= line.includes(goesWord)
    listens ||= launch.isReady(line)
    return goes && listens
  }
  return follow({ id, child, launch: { ...launch, isReady } }, readyMs, (hear) =>
    waiting.give(launch.env, hear),
  )
}

function follow(
  { id, child, launch }: Pick<Run, 'id' | 'child' | 'launch'>,
  readyMs: number,
  listen: (hear: (line: string) => void) => void,
): Run {
  let words = ''
  const hear = (line: string): void => {
    words = `${words}${stripVTControlCharacters(line)}\n`.slice(-lastWordsChars)
  }
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`The agent runtime could not be started: ${error.message}`))
    child.once('exit', (code, signal) => {
      const say = (): string => (words === '' ? '' : `: ${words.trim()}`)
      // Not `close`: a command that outlives the runtime may hold its pipes open. What was written is read by then.
      setTimeout(() => resolve(`The agent runtime ended (${signal ?? `exit ${code}`})${say()}`), 50)
    })
  })
  const ready = new Promise<true | string>((resolve) => {
    const timer = setTimeout(() => resolve('The agent runtime did not get ready'), readyMs)
    timer.unref()
    listen((line) => {
      hear(line)
      if (launch.isReady(line)) resolve(true)
    })
  })
  return { id, child, launch, exited, ready }
}

/** Politely first, then the whole group, then whatever of its family is left. */
export async function endRun({ id, child }: Pick<Run, 'id' | 'child'>): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    signalGroup(child.pid, 'SIGTERM')
    await Promise.race([gone, pause(patienceMs)])
  }
  if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
  await endFamily(id)
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody is left in the group.
  }
}
