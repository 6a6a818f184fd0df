import type { Issue } from './issue.ts'

/**
 * The errors of `after` that `before` has not. Entries of lists change places, so that an error is the same in another
 * place of its list; one that is there more often than before counts as often as it is more.
 */
export function addedErrors(before: readonly Issue[], after: readonly Issue[]): readonly Issue[] {
  const known = new Map<string, number>()
  for (const issue of errorsOf(before)) known.set(keyOf(issue), (known.get(keyOf(issue)) ?? 0) + 1)
  return errorsOf(after).filter((issue) => {
    const key = keyOf(issue)
    const left = known.get(key) ?? 0
    if (left > 0) known.set(key, left - 1)
    return left === 0
  })
}

function errorsOf(issues: readonly Issue[]): readonly Issue[] {
  return issues.filter(({ severity }) => severity === 'error')
}

/** Some messages name another entry of a list as well. */
function keyOf({ path, message }: Issue): string {
  return `${path}\n${message}`.replaceAll(/\[\d+\]/g, '[]')
}
