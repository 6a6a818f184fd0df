/** Pauses before a program is started again, by how often it ended lately. */
const pausesMs = [500, 1_000, 2_000, 4_000]
export const maxEnds = 5
export const windowMinutes = 10

/** The ends of one program, of which only those of the last ten minutes count. */
export interface Restarts {
  /** The pause before the next start; null where it has ended too often. */
  afterEnd(nowMs: number): number | null
}

export function createRestarts(): Restarts {
  let ends: number[] = []
  return {
    afterEnd: (nowMs) => {
      ends = [...ends.filter((at) => at > nowMs - windowMinutes * 60_000), nowMs]
      return ends.length >= maxEnds ? null : (pausesMs[ends.length - 1] ?? null)
    },
  }
}
