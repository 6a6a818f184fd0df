/** The platform's line of JSON about a repository, before its first pack. */
export interface SentHead {
  /** The branches that the origin has of those that the session begins with, and their commits. */
  readonly refs: ReadonlyMap<string, string>
  /** The commits whose parents the pack leaves out. */
  readonly shallow: readonly string[]
}

const isCommit = (value: unknown): value is string =>
  typeof value === 'string' && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value)
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
/** Written into git's own files, where a space or the end of a line would say something else. */
const isBranch = (name: string): boolean => /^[!-~\u0080-\uffff]+$/.test(name)

export function readSentHead(line: string): SentHead {
  const said: unknown = JSON.parse(line)
  if (!isObject(said) || !('refs' in said) || !('shallow' in said)) throw new Error('It says no refs')
  const { refs, shallow } = said
  if (!isObject(refs) || !Array.isArray(shallow) || !shallow.every(isCommit))
    throw new Error('Its commits cannot be read')
  const named = Object.entries(refs).map(([name, commit]: [string, unknown]): [string, string] => {
    if (!isBranch(name) || !isCommit(commit)) throw new Error('Its branches cannot be read')
    return [name, commit]
  })
  return { refs: new Map(named), shallow }
}
