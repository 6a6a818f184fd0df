import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { isAlive, isDead, parseProcessStat, type ProcessIdentity, type ProcessStat } from '@svc/files'
import { parseUids } from './parse-proc.ts'
import { shareLooks } from './share-looks.ts'

export interface ProcessRow extends ProcessStat {
  readonly uids: readonly number[]
}

/** Sends a signal only if the id still means the same process. False when it is gone. */
export async function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<boolean> {
  return (await isAlive(identity)) && sendSignal(identity.pid, signal)
}

export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

const readsInATurn = 50

/**
 * Every living process of the machine that /proc shows; empty where there is no /proc. Sandboxes that end together look
 * together: on a machine of hundreds of processes, each look is milliseconds of work.
 */
export const listProcesses = shareLooks(async (): Promise<readonly ProcessRow[]> =>
  (await eachProcess(readRow)).filter((row) => row !== null),
)

/** Every user that a process of the machine has, also one that ended and that its parent has not collected yet. */
export async function usersOfProcesses(): Promise<ReadonlySet<number>> {
  return new Set((await eachProcess((pid) => parseUids(readNow(`/proc/${pid}/status`)))).flat())
}

async function eachProcess<T>(read: (pid: number) => T): Promise<T[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found: T[] = []
  for (const [at, name] of names.entries()) {
    if (at % readsInATurn === readsInATurn - 1) await turn()
    found.push(read(Number(name)))
  }
  return found
}

/** True when the process was given `marker` (`NAME=value`) at its start; false when that may not be read. */
export async function carriesMarker(pid: number, marker: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  return environment.split('\0').includes(marker)
}

function readRow(pid: number): ProcessRow | null {
  const stat = parseProcessStat(readNow(`/proc/${pid}/stat`))
  return stat === null || isDead(stat) ? null : { ...stat, uids: parseUids(readNow(`/proc/${pid}/status`)) }
}

/** Reads in place: the kernel answers from memory, and hundreds of reads on other threads cost many times as much. */
function readNow(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
