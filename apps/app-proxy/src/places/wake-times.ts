/** Wakes whose end no visitor saw are forgotten beyond so many. */
const maxOpen = 10_000

/** The wakes that this proxy asked for: each is counted once, however many visitors wait for it. */
export interface WakeTimes {
  begun(release_id: string): void
  /** The time that the wake of this release took, for the first who sees it answer; null for all others. */
  answered(release_id: string): number | null
  failed(release_id: string): void
}

export function wakeTimes(now: () => number): WakeTimes {
  const open = new Map<string, number>()
  return {
    begun(release_id) {
      open.set(release_id, now())
      const [oldest] = open.keys()
      if (open.size > maxOpen && oldest !== undefined) open.delete(oldest)
    },
    answered(release_id) {
      if (open.size === 0) return null
      const at = open.get(release_id)
      open.delete(release_id)
      return at === undefined ? null : now() - at
    },
    failed: (release_id) => void open.delete(release_id),
  }
}
