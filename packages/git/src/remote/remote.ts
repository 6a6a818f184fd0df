import type { BranchCut, HostBranchOutcome } from '../hosts/branch-api.ts'
import type { MoveOutcome } from '../refs/move-branch.ts'
import { parseListing, type RemoteListing } from '../parse/listing.ts'
import { parsePush, remoteMessage } from '../parse/push-porcelain.ts'
import type { Runner, RunResult } from '../runner/runner.ts'
import type { RemoteAccess } from './remote-access.ts'
import { isRefusal, unavailable } from './remote-failure.ts'

export interface RefPush {
  readonly ref: string
  readonly from_sha: string | null
  readonly to_sha: string
}

/** The far side of a connected repository. The credential lives in a closure and in no field. */
export interface Remote {
  list(signal?: AbortSignal): Promise<RemoteListing>
  fetch(): Promise<void>
  push(push: RefPush): Promise<MoveOutcome>
  /** Through the host's own API, when it has one. */
  cut(cut: BranchCut): Promise<HostBranchOutcome>
}

export interface RemoteOptions {
  readonly runner: Runner
  readonly git_dir: string
  /** Checks the address anew and says how to reach it. */
  readonly access: () => Promise<RemoteAccess>
  readonly cut: (cut: BranchCut) => Promise<HostBranchOutcome>
  readonly signal: AbortSignal | undefined
}

const listTimeoutMs = 30_000
const transferTimeoutMs = 600_000

export function createRemote({ runner, git_dir, access, cut, signal }: RemoteOptions): Remote {
  const run = async (
    args: (url: string) => readonly string[],
    options: { readonly signal?: AbortSignal | undefined; readonly timeout_ms: number },
  ): Promise<RunResult> => {
    const { url, env, config } = await access()
    return runner
      .run(args(url), { git_dir, env, config, unlimited: true, ...options })
      .catch((error: unknown) => {
        options.signal?.throwIfAborted()
        throw unavailable('The repository host did not answer in time.', error)
      })
  }

  const list = async (listSignal?: AbortSignal): Promise<RemoteListing> => {
    const result = await run(
      (url) => ['ls-remote', '--quiet', '--symref', '--end-of-options', url, 'HEAD', 'refs/heads/*'],
      { signal: listSignal, timeout_ms: listTimeoutMs },
    )
    if (result.exit_code !== 0) throw unavailable(result.stderr)
    return parseListing(result.stdout.toString('utf8'))
  }

  const actual = async (ref: string): Promise<string | null> => {
    const { branches } = await list(signal)
    return branches.get(ref.replace(/^refs\/heads\//, '')) ?? null
  }

  return {
    list,
    cut,

    // A transfer that began is brought to its end even when the caller leaves: the next one finds it done.
    async fetch() {
      const result = await run(
        (url) => [...fetchCommand, '--end-of-options', url, '+refs/heads/*:refs/heads/*'],
        {
          timeout_ms: transferTimeoutMs,
        },
      )
      if (result.exit_code !== 0) throw unavailable(result.stderr)
    },

    async push({ ref, from_sha, to_sha }) {
      const lease = `--force-with-lease=${ref}:${from_sha ?? ''}`
      const result = await run(
        (url) => ['push', '--porcelain', '--no-verify', lease, '--end-of-options', url, `${to_sha}:${ref}`],
        { signal, timeout_ms: transferTimeoutMs },
      )
      const verdict = parsePush(result.stdout.toString('utf8'), ref)
      switch (verdict.kind) {
        case 'moved':
          return { kind: 'moved' }
        case 'up_to_date':
          return { kind: 'stale', actual_sha: to_sha }
        case 'stale':
          return { kind: 'stale', actual_sha: await actual(ref) }
        case 'refused': {
          const actual_sha = await actual(ref)
          if (actual_sha !== from_sha) return { kind: 'stale', actual_sha }
          return {
            kind: 'rejected',
            message: [verdict.reason, remoteMessage(result.stderr)].join('\n').trim(),
          }
        }
        case 'unknown':
          if (isRefusal(result.stderr)) {
            return { kind: 'rejected', message: 'The repository host does not let this credential push.' }
          }
          throw unavailable(result.stderr)
      }
    },
  }
}

const fetchCommand = [
  'fetch',
  '--quiet',
  '--prune',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
]
