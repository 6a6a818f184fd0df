/** A sandbox that is about to be ended begins no turn, unless its end does not come. */
export interface Hold {
  readonly held: boolean
  hold(): void
  release(): void
  /** Nothing is released any more. */
  close(): void
}

export function createHold(parts: { readonly maxMs: number; readonly onRelease: () => void }): Hold {
  let timer: NodeJS.Timeout | null = null
  const release = (): void => {
    clearTimeout(timer ?? undefined)
    timer = null
    parts.onRelease()
  }
  return {
    get held() {
      return timer !== null
    },
    hold: () => {
      clearTimeout(timer ?? undefined)
      timer = setTimeout(release, parts.maxMs)
      timer.unref()
    },
    release,
    close: () => clearTimeout(timer ?? undefined),
  }
}
