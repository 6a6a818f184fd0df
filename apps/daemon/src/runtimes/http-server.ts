import { settled } from '@svc/timing'
import { createInterface } from 'node:readline'
import { deferred } from '../shared/deferred.ts'
import { step } from '../shared/steps.ts'
import {
  becomeReady,
  endProcess,
  followProcess,
  type RuntimeCommand,
  type RuntimeProcess,
  spawnRuntime,
} from './process.ts'
import type { RuntimeStart } from './runtime.ts'
import type { StandbyRuntime } from './standby/standby.ts'
import { claimedWord } from './standby/standby-words.ts'

/** A request before this line is never answered, though the port is already open. */
const listensWords = 'listening on'

export const saysItListens = (line: string): boolean => line.includes(listensWords)

interface Starting {
  readonly process: RuntimeProcess
  readonly ready: Promise<void>
}

/** Starts a runtime that serves HTTP, or goes on with the process that waited for it. Resolves once it listens. */
export async function startHttpServer(
  command: RuntimeCommand,
  { owner, standby, timeoutMs, signal }: Omit<RuntimeStart, 'env'>,
): Promise<RuntimeProcess> {
  const taken = standby && (await takeOver(standby, command, timeoutMs))
  const { process, ready } = taken ?? spawnServer(owner, command)
  step('runtime_configured')
  await becomeReady(process, ready, { timeoutMs, signal })
  return process
}

function spawnServer(owner: string, command: RuntimeCommand): Starting {
  const { id, child } = spawnRuntime(owner, command)
  child.stdin.end()
  step('runtime_begun')
  return follow({ id, child }, saysItListens, (onLine) => {
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine)
  })
}

/** The process that waited, if it is one for this command; else it ends, and null is given. */
async function takeOver(
  standby: StandbyRuntime,
  command: RuntimeCommand,
  timeoutMs: number,
): Promise<Starting | null> {
  const fits = standby.fits(command)
  if (!((await settled(timeoutMs, fits)) && (await fits))) {
    await endProcess(standby)
    return null
  }
  let goes = false
  let listens = false
  // Both in either order: it may have listened long before it has its session.
  const isReady = (line: string): boolean => {
    goes ||= line.includes(claimedWord)
    listens ||= saysItListens(line)
    return goes && listens
  }
  return follow(standby, isReady, (onLine) => standby.give(command.env, onLine))
}

function follow(
  running: Parameters<typeof followProcess>[0],
  isReady: (line: string) => boolean,
  listen: (onLine: (line: string) => void) => void,
): Starting {
  const { onLine, ...process } = followProcess(running)
  const ready = deferred<void>()
  listen((line) => {
    onLine(line)
    if (isReady(line)) ready.resolve()
  })
  return { process, ready: ready.promise }
}
