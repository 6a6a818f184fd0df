/** Time without a byte to or from an app, after which it is taken for stuck. */
export const appSilenceMs = 120_000

/** A visitor may take so many times longer for what waits for them: of a slow line, this side sees the larger pieces alone. */
const slowVisitor = 5

/** Looks whether anything moves in a visit. */
export interface Silence {
  /** A byte came from the app, or went to it. */
  moved(): void
  /** The next bytes of the app wait until the visitor took the last ones. */
  held(): void
  /** From now on it may be silent. */
  end(): void
}

export function watchSilence(limit_ms: number, onSilence: () => void): Silence {
  let timer = setTimeout(onSilence, limit_ms)
  let waits = false
  let over = false
  const wait = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(onSilence, ms)
  }
  return {
    moved() {
      if (over) return
      if (waits) wait(limit_ms)
      else timer.refresh()
      waits = false
    },
    held() {
      if (over || waits) return
      waits = true
      wait(limit_ms * slowVisitor)
    },
    end() {
      over = true
      clearTimeout(timer)
    },
  }
}
