import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second for every program. */
const tickMs = 10

interface Stat {
  readonly pid: number
  readonly name: string
  readonly parent: number
  readonly ms: number
}

/** Processor time so far of a process and of the PostgreSQL that this one started, in milliseconds; null without /proc. */
export function cpuMs(pid: number | undefined): number | null {
  const all = stats()
  const own = all.find((stat) => stat.pid === pid)
  const server = all.find(({ name, parent }) => parent === process.pid && name === 'postgres')
  if (!own || !server) return null
  return all.filter(({ parent }) => parent === server.pid).reduce((sum, { ms }) => sum + ms, own.ms)
}

function stats(): Stat[] {
  try {
    return readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? statOf(Number(pid)) : []))
  } catch {
    return []
  }
}

function statOf(pid: number): Stat[] {
  try {
    // The name in parentheses may hold anything: the numbers stand behind the last one.
    const [, name = '', rest = ''] =
      /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const fields = rest.split(' ')
    return [{ pid, name, parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * tickMs }]
  } catch {
    // It ended while it was read.
    return []
  }
}
