export interface ProcessStat {
  readonly pid: number
  readonly state: string
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly start_ticks: string
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
  }
}

/** The real, effective, saved and file system uid of `/proc/<pid>/status`. */
export function parseUids(status: string): readonly number[] {
  const line = /^Uid:\s+(.*)$/m.exec(status)?.[1]
  return line === undefined ? [] : line.split(/\s+/).map(Number)
}

/** The memory of `/proc/<pid>/status` that is a process's own, or shared with none but its like. */
export function residentKib(status: string): number {
  const sizes = [...status.matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB$/gm)].map(([, size]) => Number(size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

export interface IdRange {
  readonly first: number
  readonly count: number
}

/** The longest run of ids that `/proc/self/uid_map` lets this process use; inside a container it may be short. */
export function parseIdMap(text: string): IdRange {
  const ranges = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([first = 0, , count = 0]) => ({ first, count }))
  return ranges.reduce((widest, range) => (range.count > widest.count ? range : widest), {
    first: 0,
    count: 0,
  })
}
