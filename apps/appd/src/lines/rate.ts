const windowMs = 1000

/** Lets so many through in a second, and counts the others. */
export interface Rate {
  admits(): boolean
  close(): void
}

export function createRate(max: number, onDropped: (count: number) => void): Rate {
  let began = -Infinity
  let seen = 0
  let dropped = 0
  let timer: NodeJS.Timeout | undefined

  const settle = (): void => {
    clearTimeout(timer)
    timer = undefined
    const count = dropped
    dropped = 0
    if (count > 0) onDropped(count)
  }
  return {
    admits: () => {
      const now = performance.now()
      if (now - began >= windowMs) {
        settle()
        began = now
        seen = 0
      }
      seen += 1
      if (seen <= max) return true
      dropped += 1
      timer ??= setTimeout(settle, began + windowMs - now)
      return false
    },
    close: settle,
  }
}
