export interface ProcessStat {
  readonly pid: number
  readonly state: string
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly start_ticks: string
  /** Processor time that it has used, in ticks of the kernel. */
  readonly used_ticks: number
}

/** Reads `/proc/<pid>/stat`. The name in brackets may hold spaces and brackets, so fields count from the last one. */
export function parseProcessStat(text: string): ProcessStat | null {
  const end = text.lastIndexOf(')')
  const pid = Number.parseInt(text, 10)
  if (end < 0 || Number.isNaN(pid)) return null
  const fields = text.slice(end + 2).split(' ')
  const [state, parent, group, session] = fields
  const startTicks = fields[19]
  if (state === undefined || parent === undefined || group === undefined || session === undefined) return null
  if (startTicks === undefined) return null
  return {
    pid,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    start_ticks: startTicks,
    used_ticks: Number(fields[11]) + Number(fields[12]),
  }
}
