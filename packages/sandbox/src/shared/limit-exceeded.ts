/** What a person reads of a sandbox that was ended because it was over a limit, whoever ended it. */
export function limitExceeded(what: 'memory' | 'disk', limit_mb: number | undefined): string {
  const size = limit_mb === undefined ? '' : ` of ${limit_mb} MB`
  return `${what} limit${size} exceeded`
}
