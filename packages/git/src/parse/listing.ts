export interface RemoteListing {
  /** Branch name to tip. */
  readonly branches: ReadonlyMap<string, string>
  /** The branch HEAD points at, when the remote says so. */
  readonly head: string | null
}

const headsPrefix = 'refs/heads/'

/** `git ls-remote --symref`: `ref: refs/heads/main<TAB>HEAD` and `<sha><TAB><ref>` lines. */
export function parseListing(stdout: string): RemoteListing {
  const branches = new Map<string, string>()
  let head: string | null = null
  for (const line of stdout.split('\n')) {
    const [value = '', name = ''] = line.split('\t')
    const target = `ref: ${headsPrefix}`
    if (name === 'HEAD' && value.startsWith(target)) head = value.slice(target.length)
    else if (name.startsWith(headsPrefix)) branches.set(name.slice(headsPrefix.length), value)
  }
  return { branches, head }
}

export function sameBranches(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([name, sha]) => b.get(name) === sha)
}
