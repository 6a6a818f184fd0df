/** The most of a sandbox's output that is kept for people. */
export const maxTailBytes = 8 * 1024

/** The end of a log, from a whole character on. */
export function logTail(log: Buffer): string {
  let start = Math.max(0, log.length - maxTailBytes)
  if (start > 0) while (((log[start] ?? 0) & 0xc0) === 0x80) start += 1
  return log.subarray(start).toString('utf8')
}
