/** Words for a person whose sandbox was ended because it was over a limit, whichever part of the system ended it. */
export function limitExceeded(what: 'memory' | 'disk', limit_mb: number | undefined): string {
  const size = limit_mb === undefined ? '' : ` of ${limit_mb} MB`
  return `${what} limit${size} exceeded`
}
