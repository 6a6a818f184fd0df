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
