import type { ProcessRow } from './process-table.ts'

export interface Membership {
  /** Everything with this user id belongs to the sandbox. */
  readonly uid: number | null
  /** Processes known to belong to it; what they started belongs to it as well. */
  readonly roots: ReadonlySet<number>
}

/** The processes of a sandbox. Without a user of its own, they are all the processes below the known ones. */
export function membersOf(rows: readonly ProcessRow[], membership: Membership): readonly number[] {
  const { uid } = membership
  const found = new Set(
    rows
      .filter((row) => membership.roots.has(row.pid) || (uid !== null && row.uids.includes(uid)))
      .map((row) => row.pid),
  )
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const row of rows) if (found.has(row.parent)) found.add(row.pid)
  }
  return [...found]
}
