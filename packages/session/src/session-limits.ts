/** Limits of each thing that a session waits for, in milliseconds. After it comes a state that is an end. */
export const sessionLimits = {
  /** Retries on the way up, while every cause of failure passes by itself. Then `failed`, with the cause. */
  provisioningRetriesMs: 120_000,
  /** A sandbox that was made answers by then, or the session is `failed`; so is one that falls silent for so long. */
  bootMs: 180_000,
  /** One that answers has its repository by then: a large one takes its time. */
  cloneMs: 30 * 60_000,
  /** No worker works on it at all: then `failed`. Longer than all the work that one would do. */
  provisioningMs: 15 * 60_000,
  /** A worker that gave no sign of life for this long has lost its work to the next one. */
  workerSilenceMs: 20_000,
  workerBeatMs: 5_000,
  /**
   * A worker's wait for its turn at a session that another worker is busy with. After it the job is tried again later.
   */
  workerTurnMs: 60_000,
  /** A busy sandbox of which nothing was heard after its lease ended is looked at, and ended if it does not answer. */
  leaseGraceMs: 60_000,
  /** An idle one that takes no prompt. */
  unreachableMs: 60_000,
  /** Time that a stop waits for the turn that runs, and for its work to be saved. */
  drainMs: 8_000,
  /** A session that ends by itself while it is owed work is woken for it so many times without one turn that began. */
  wakesAfterExit: 3,
} as const
