import { readFile } from 'node:fs/promises'
import { parseProcessStat, type ProcessStat } from './process-stat.ts'

/** A process id together with when it began, because ids are used again. */
export interface ProcessIdentity {
  readonly pid: number
  readonly began: string
}

let bootId: Promise<string> | undefined

export function readBootId(): Promise<string> {
  bootId ??= readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => 'boot',
  )
  return bootId
}

/** Null for a process that is gone or a zombie: a zombie does nothing any more, even if its parent never collects it. */
export async function identify(pid: number): Promise<ProcessIdentity | null> {
  if (process.platform !== 'linux') return identifyByPs(pid)
  const stat = await readStat(pid)
  if (stat === null || isDead(stat)) return null
  return { pid, began: `${await readBootId()}:${stat.start_ticks}` }
}

export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identify(identity.pid))?.began === identity.began
}

async function readStat(pid: number): Promise<ProcessStat | null> {
  return parseProcessStat(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
}

export function isDead(stat: ProcessStat): boolean {
  return stat.state === 'Z' || stat.state === 'X' || stat.state === 'x'
}

async function identifyByPs(pid: number): Promise<ProcessIdentity | null> {
  const [{ execFile }, { promisify }] = await Promise.all([import('node:child_process'), import('node:util')])
  const columns = ['-o', 'stat=,lstart=', '-p', String(pid)]
  const shown = await promisify(execFile)('ps', columns).catch(() => null)
  const [state = '', ...began] = shown?.stdout.trim().split(/\s+/) ?? []
  return state === '' || state.startsWith('Z') ? null : { pid, began: began.join(' ') }
}
