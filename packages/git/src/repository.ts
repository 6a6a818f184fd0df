import type { GitHost } from './hosts/detect-host.ts'
import { GitError } from './runner/git-error.ts'
import type { Runner, RunOptions, RunResult } from './runner/runner.ts'
import type { LinksCache } from './history/links-cache.ts'
import type { ObjectReaders } from './objects/object-readers.ts'
import type { PreviewCache } from './merge/preview-cache.ts'
import type { Remote } from './remote/remote.ts'
import type { Capabilities } from './serve/capabilities.ts'
import type { CloneCache } from './serve/clone-cache.ts'
import type { VisibleObjects } from './serve/visible.ts'
import type { PublishOutcome, RefChange } from './store/repository-store.ts'

export interface Identity {
  readonly name: string
  readonly email: string
}

export interface Credential {
  readonly username: string
  readonly token: string
}

export type RepositoryTarget =
  | { readonly kind: 'managed'; readonly project_id: string }
  | {
      readonly kind: 'connected'
      readonly project_id: string
      readonly repo_url: string
      readonly credential: Credential | null
      /** The kind of the host; told by its name when absent. */
      readonly host?: GitHost | undefined
    }

/** The place in which branches really live and are moved: the store, or the host of which this is a mirror. */
export type Branches =
  | { readonly at: 'store'; publish(refs: readonly RefChange[]): Promise<PublishOutcome> }
  | { readonly at: 'host'; readonly remote: Remote }

/** An opened repository: the first argument of every function of this package. Valid for one request. */
export interface Repository {
  readonly git_dir: string
  /** The folder of the push policy's hook. */
  readonly hooks_dir: string
  readonly identity: Identity
  /** An SSH key of the operator's that signs the service's commits. */
  readonly signing_key_file: string | null
  readonly runner: Runner
  readonly objects: Pick<ObjectReaders, 'of'>
  readonly capabilities: Capabilities
  readonly clones: CloneCache
  readonly visible: VisibleObjects
  readonly links: LinksCache
  readonly previews: PreviewCache
  readonly branches: Branches
  readonly signal: AbortSignal | undefined
  /** Called with git's message when it failed; throws when the mirror is at fault and was given up. */
  readonly doubt: ((stderr: string) => Promise<void>) | null
}

export type GitOptions = Omit<RunOptions, 'git_dir' | 'signal'>

/** Runs git in a repository and hands back its exit code, for commands whose failure means something. */
export async function tryGit(
  repository: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<RunResult> {
  const { runner, git_dir, signal, doubt } = repository
  const result = await runner.run(args, { ...options, git_dir, signal })
  if (doubt !== null && result.exit_code !== 0 && !result.cut) await doubt(result.stderr)
  return result
}

/** Runs git in a repository where only success makes sense. */
export async function git(
  repository: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<RunResult> {
  const result = await tryGit(repository, args, options)
  if (result.exit_code === 0 || result.cut) return result
  throw new GitError(args[0] ?? '', result.exit_code, result.stderr)
}

export async function gitText(
  repository: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return (await git(repository, args, options)).stdout.toString('utf8').trim()
}
