import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SandboxError } from '../../sandbox-error.ts'
import { type IdRange, parseIdMap } from './processes/parse-proc.ts'

/** Far above the users of a machine. */
const defaultRange: IdRange = { first: 200_000, count: 16_000_000 }

/** Inside a container with few ids, the upper part of what there is. */
const narrowFirst = 20_000

/** Null where sandboxes run as the platform's own user, because only root may become another one. */
export async function readUidRange(wanted: IdRange = defaultRange): Promise<IdRange | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const map = parseIdMap(await readFile('/proc/self/uid_map', 'utf8').catch(() => ''))
  const range = fitRange(wanted, map)
  if (range === null) {
    throw new SandboxError(
      'internal',
      'This container has too few user ids to give each sandbox one of its own; run it with a larger range of them.',
    )
  }
  return range
}

export function fitRange(wanted: IdRange, map: IdRange): IdRange | null {
  const end = map.first + map.count
  if (wanted.first >= map.first && wanted.first + wanted.count <= end) return wanted
  const first = Math.max(map.first, narrowFirst)
  /** The last ids are the user `nobody` (65534) and reserved ones. */
  const count = Math.min(end, 60_000) - first
  return count >= 1_000 ? { first, count } : null
}

/** The first folder above `path` (or itself) that other users may not enter; null when the way is open. */
export async function closedFolder(path: string): Promise<string | null> {
  const { mode } = await stat(path)
  if ((mode & 0o001) === 0) return path
  const above = dirname(path)
  return above === path ? null : closedFolder(above)
}
