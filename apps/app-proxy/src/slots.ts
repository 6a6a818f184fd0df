export interface Slots {
  /** Runs `end` to give the slot back; null when none became free in time. */
  take(key: string, max: number): Promise<(() => void) | null>
}

const waitMs = 5000

interface Line {
  running: number
  readonly waiting: ((end: () => void) => void)[]
}

/** Requests of an app at a time. As many again wait in line for a while, and the rest are refused at once. */
export function createSlots(wait_ms = waitMs): Slots {
  const lines = new Map<string, Line>()
  const endOf = (key: string, line: Line) => {
    let ended = false
    return () => {
      if (ended) return
      ended = true
      const next = line.waiting.shift()
      if (next !== undefined) return next(endOf(key, line))
      line.running -= 1
      if (line.running === 0) lines.delete(key)
    }
  }
  return {
    async take(key, max) {
      const line = lines.get(key) ?? { running: 0, waiting: [] }
      lines.set(key, line)
      if (line.running < max) {
        line.running += 1
        return endOf(key, line)
      }
      if (line.waiting.length >= max) return null
      return new Promise((resolve) => {
        const given = (end: () => void) => {
          clearTimeout(timer)
          resolve(end)
        }
        const timer = setTimeout(() => {
          line.waiting.splice(line.waiting.indexOf(given), 1)
          resolve(null)
        }, wait_ms)
        line.waiting.push(given)
      })
    },
  }
}
