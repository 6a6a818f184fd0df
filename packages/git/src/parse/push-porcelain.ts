export type PushVerdict =
  | { readonly kind: 'moved' }
  | { readonly kind: 'up_to_date' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** No line speaks of the ref: the push did not come that far. */
  | { readonly kind: 'unknown' }

/** The verdict of `git push --porcelain` on one ref. */
export function parsePush(stdout: string, ref: string): PushVerdict {
  for (const line of stdout.split('\n')) {
    const [flag, refs, summary = ''] = line.split('\t')
    if (refs === undefined || !refs.endsWith(`:${ref}`)) continue
    if (flag === '=') return { kind: 'up_to_date' }
    if (flag !== '!') return { kind: 'moved' }
    if (/^\[rejected\] \((stale info|fetch first|non-fast-forward)\)/.test(summary)) return { kind: 'stale' }
    return { kind: 'refused', reason: /\((.*)\)\s*$/.exec(summary)?.[1] ?? summary }
  }
  return { kind: 'unknown' }
}

/** The host's own message while refusing. */
export function remoteMessage(stderr: string): string {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('remote:'))
    .map((line) => line.slice('remote:'.length).trim())
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, 2_000)
}
