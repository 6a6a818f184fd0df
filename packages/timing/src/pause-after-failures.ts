const seconds = [1, 2, 5, 10, 30]

/** Milliseconds to wait after so many failures in a row, a fifth more or less, so that processes do not come back as one. */
export function pauseAfterFailures(failures: number, random: () => number = Math.random): number {
  const base = seconds[Math.min(Math.max(failures, 1), seconds.length) - 1] ?? 0
  return Math.round(base * 1_000 * (0.8 + 0.4 * random()))
}
