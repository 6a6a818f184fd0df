import { unquotePath } from './quoted-path.ts'

export type FileStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'typechange'

export interface DiffFile {
  readonly path: string
  readonly old_path: string | null
  readonly status: FileStatus
  readonly additions: number
  readonly deletions: number
  readonly binary: boolean
}

interface RawEntry {
  readonly path: string
  readonly old_path: string | null
  readonly status: FileStatus
}

interface Counts {
  readonly additions: number
  readonly deletions: number
  readonly binary: boolean
}

const statuses: Readonly<Record<string, FileStatus>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'typechange',
}

/**
 * `git diff --raw --numstat`: lines of `:modes shas status TAB path` (two paths for renames and copies), then as many
 * lines of `added TAB deleted TAB name`, in the same order.
 */
export function parseRawDiff(output: string): DiffFile[] {
  const lines = output.split('\n').filter((line) => line !== '')
  const entries = lines.filter((line) => line.startsWith(':')).map(parseEntry)
  const counts = lines.filter((line) => !line.startsWith(':')).map(parseCounts)
  return entries.map((entry, index) => ({ ...entry, ...(counts[index] ?? none) }))
}

const none: Counts = { additions: 0, deletions: 0, binary: false }

function parseEntry(line: string): RawEntry {
  const [head = '', first = '', second] = line.split('\t')
  const status = statuses[head.split(' ')[4]?.[0] ?? ''] ?? 'modified'
  if (second === undefined) return { path: unquotePath(first), old_path: null, status }
  return { path: unquotePath(second), old_path: unquotePath(first), status }
}

function parseCounts(line: string): Counts {
  const [added, deleted] = line.split('\t')
  return added === '-'
    ? { ...none, binary: true }
    : { ...none, additions: Number(added), deletions: Number(deleted) }
}
