import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The command line of a living process; undefined when there is none (a zombie has none). */
export function commandOf(pid: number): string | undefined {
  if (existsSync('/proc/self/cmdline'))
    return fromProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() || undefined
  return fromPs(pid, 'args=')
}

/** True when the process ended before the timeout and before `force` was aborted. */
export async function waitForEnd(
  pid: number,
  command: string,
  timeout_ms: number,
  force?: AbortSignal,
): Promise<boolean> {
  for (const deadline = Date.now() + timeout_ms; Date.now() < deadline && !force?.aborted; await sleep(20))
    if (commandOf(pid) !== command) return true
  return false
}

function fromProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function fromPs(pid: number, field: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}
