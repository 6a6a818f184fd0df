/** Restarts of the runtime that wait until it has nothing to do. */
export interface Restarts {
  readonly isPending: boolean
  /** To be called when the runtime may have become idle. */
  check(): void
  whenIdle(): 'now' | 'when_idle'
}

export function createRestarts(parts: {
  readonly isBusy: () => boolean
  readonly restart: () => void
}): Restarts {
  let isPending = false
  function check(): void {
    if (!isPending || parts.isBusy()) return
    isPending = false
    parts.restart()
  }
  return {
    get isPending() {
      return isPending
    },
    check,
    whenIdle: () => {
      isPending = true
      check()
      return isPending ? 'when_idle' : 'now'
    },
  }
}
