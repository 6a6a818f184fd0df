import type { GitWith } from './git-with.ts'

/** Work that is neither checked out nor pushed: other branches, and what was stashed. */
export interface SideWork {
  readonly branches: readonly { readonly sha: string; readonly ref: string }[]
  /** Newest first. */
  readonly stashes: readonly string[]
}

const maxBranches = 100
const maxStashes = 20

export async function readSideWork(git: GitWith, branch: string | null): Promise<SideWork> {
  const [refs, stashes] = await Promise.all([
    git(
      {},
      'for-each-ref',
      '--sort=-committerdate',
      `--count=${maxBranches}`,
      '--format=%(objectname) %(refname)',
      'refs/heads',
    ),
    git({}, 'log', '-g', `--max-count=${maxStashes}`, '--format=%H', 'refs/stash', '--'),
  ])
  const others = lines(refs).flatMap((line) => {
    const [sha = '', ...ref] = line.split(' ')
    return ref.join(' ') === `refs/heads/${branch ?? ''}` ? [] : [{ sha, ref: ref.join(' ') }]
  })
  const shas = others.map(({ sha }) => sha)
  const pushed = others.length === 0 ? null : await git({}, 'rev-list', ...shas, '--not', '--remotes')
  const own = new Set(pushed === null ? [] : lines(pushed))
  return { branches: others.filter(({ sha }) => own.has(sha)), stashes: lines(stashes) }
}

/** The side work as lines of a commit's message; the commits themselves are its parents. */
export function sideWorkLines({ branches, stashes }: SideWork): string[] {
  return [...branches.map(({ sha, ref }) => `Kept: ${sha} ${ref}`), ...stashes.map((sha) => `Stash: ${sha}`)]
}

export function parseSideWork(message: string): SideWork {
  const branches = [...message.matchAll(/^Kept: ([0-9a-f]{40,64}) (refs\/heads\/.+)$/gm)]
  const stashes = [...message.matchAll(/^Stash: ([0-9a-f]{40,64})$/gm)]
  return {
    branches: branches.map(([, sha = '', ref = '']) => ({ sha, ref })),
    stashes: stashes.map(([, sha = '']) => sha),
  }
}

/** Into a repository where none of it has been touched yet; what it has already stays as it is. */
export async function restoreSideWork(
  git: GitWith,
  identity: Readonly<Record<string, string>>,
  { branches, stashes }: SideWork,
): Promise<void> {
  for (const { sha, ref } of branches) {
    if (!(await git({}, 'merge-base', '--is-ancestor', sha, ref)).ok) await git({}, 'update-ref', ref, sha)
  }
  // A restoration that was cut short is done again.
  const known = new Set(lines(await git({}, 'log', '-g', '--format=%H', 'refs/stash', '--')))
  for (const sha of [...stashes].reverse().filter((one) => !known.has(one))) {
    const { stdout } = await git({}, 'show', '-s', '--format=%s', sha)
    await git(identity, 'stash', 'store', '-q', '-m', stdout.trim() || 'svc', sha)
  }
}

function lines({ ok, stdout }: { readonly ok: boolean; readonly stdout: string }): string[] {
  return ok ? stdout.split('\n').filter((line) => line !== '') : []
}
