import type { ProjectRow, sessions } from '@svc/db'
import { firstPack, type Repository, resolveBranch } from '@svc/git'

/** The repository content that a new session's workspace is made from. */
export interface FirstRepository {
  /** A line of JSON, then the pack. */
  readonly content: AsyncGenerator<Uint8Array>
  /** For one that is not read to its end. */
  close(): void
}

/** Most repositories are whole with this many commits; the daemon asks for the rest while the agent starts. */
const depth = 50

/** True when the platform sends the repository to a new session's sandbox; otherwise the sandbox asks its origin. */
export function sendsRepository(
  { kind }: Pick<ProjectRow, 'kind'>,
  { started_at, requested }: Pick<sessions.SessionView, 'started_at' | 'requested'>,
): boolean {
  return kind === 'managed' && started_at === null && requested.monitors !== true
}

/** The session's branch, its base and the default branch, with recent history. The branch is cut already. */
export async function firstRepository(
  repository: Repository,
  { default_branch }: ProjectRow,
  { branch_name, base_ref }: sessions.SessionView,
): Promise<FirstRepository> {
  const names = [...new Set([branch_name, base_ref, default_branch])]
  const tips = await Promise.all(names.map((name) => resolveBranch(repository, name)))
  const refs = names.flatMap((name, n) => (tips[n] ? [[name, tips[n]] as const] : []))
  const commits = refs.map(([, commit]) => commit).toSorted()
  const first = refs.length === 0 ? null : await firstPack(repository, { commits, depth })
  const head = JSON.stringify({ refs: Object.fromEntries(refs), shallow: first?.shallow ?? [] })
  const content = async function* () {
    yield Buffer.from(`${head}\n`)
    if (first !== null) yield* first.pack
  }
  return { content: content(), close: () => first?.close() }
}
