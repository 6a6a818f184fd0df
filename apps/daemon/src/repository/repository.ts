import { settled } from '@svc/timing'
import type { Log } from '../log.ts'
import { messageOf } from '../log.ts'
import { backoffMs, pause } from '../shared/backoff.ts'
import { deferred } from '../shared/deferred.ts'
import { step } from '../shared/steps.ts'
import { type CloneParts, cloneRepository, deepen, isCloned, isShallow, removeStaleLocks } from './clone.ts'
import { fetchRefs } from './fetch-refs.ts'
import { GitError } from '../git/git.ts'
import { configure } from '../git/git-settings.ts'
import { type Head, readHead } from './read-head.ts'

export interface RepositoryHealth {
  readonly state: 'cloning' | 'ready' | 'failed'
  readonly url: string | null
  readonly branch: string | null
  readonly commit: string | null
  readonly error: string | null
}

export interface RefreshOutcome {
  readonly updated: boolean
  readonly note: string | null
  /** True when work in the sandbox stands in the way; the note says what to do about it. */
  readonly blocked: boolean
}

export interface Repository {
  /** Clones, or brings an existing clone up to date; false when there is nothing to work on. */
  open(): Promise<boolean>
  /** Fetches and moves forward. Work of the agent is never lost: what cannot be fast-forwarded stays as it is. */
  refresh(): Promise<RefreshOutcome>
  health(): Promise<RepositoryHealth>
  /** Resolves once it is known whether there is something to work on. */
  readonly settled: Promise<void>
  /** Resolves once the repository's settings are there, which of a new session's is sooner than the rest of it. */
  readonly settings: Promise<void>
}

/** The work in progress of an earlier sandbox, which a fresh clone still lacks. */
export interface Restoration {
  owe(): void
  isOwed(): boolean
  run(): Promise<void>
}

const resumeAttempts = 2
const headMs = 1_000
/** Without a prompt, no signal says that the start is over. */
const calmMs = 5_000

export interface RepositoryParts extends Omit<CloneParts, 'onSettings'> {
  readonly auto_clone: boolean
  readonly attempts: number
  readonly restoration: Restoration
  /** Older history is asked for after this: a start has better use for the processors. */
  readonly calm: Promise<void>
  readonly signal: AbortSignal
  readonly log: Log
}

export function createRepository(parts: RepositoryParts): Repository {
  const { git, workspace, branch, auto_clone, is_new, attempts, restoration, signal, log } = parts
  const url = withoutCredentials(parts.repo_url)
  let state: RepositoryHealth['state'] = auto_clone ? 'cloning' : 'ready'
  let error: string | null = null
  const settling = deferred<void>()
  const settings = deferred<void>()
  const cloning: CloneParts = {
    ...parts,
    onSettings: () => {
      step('settings')
      settings.resolve()
    },
  }
  if (!auto_clone) settling.resolve()
  let deepening: Promise<unknown> = Promise.resolve()

  async function retrying<T>(maxAttempts: number, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work()
      } catch (failure) {
        const again = !(failure instanceof GitError) || failure.transient
        if (!again || attempt >= maxAttempts || signal.aborted) throw failure
        log.warn('git failed and is tried again', { attempt, error: failure })
        await pause(backoffMs(attempt - 1), signal)
      }
    }
  }

  /** Fetches missing history while the agent already works; a clone is never given up for it. */
  async function complete(): Promise<void> {
    await settled(calmMs, parts.calm, signal)
    for (let attempt = 1; isShallow(workspace) && !signal.aborted; attempt += 1) {
      try {
        const running = deepen(cloning)
        deepening = running.catch(() => undefined)
        await running
      } catch (failure) {
        log.warn('older history is still missing and is asked for again', { attempt, error: failure })
        await pause(backoffMs(attempt - 1), signal)
      }
    }
  }

  async function fastForward(): Promise<RefreshOutcome> {
    await deepening
    const refs = await fetchRefs(parts)
    if (!refs.has(branch))
      return { updated: false, note: 'The branch is not on the origin yet', blocked: false }
    const upstream = `refs/remotes/origin/${branch}`
    const [current, status, before, ahead] = await Promise.all([
      git('symbolic-ref', '-q', '--short', 'HEAD'),
      git('status', '--porcelain', '--untracked-files=no'),
      git('rev-parse', '-q', '--verify', 'HEAD'),
      git('merge-base', '--is-ancestor', upstream, 'HEAD'),
    ])
    if (current.stdout.trim() !== branch)
      return blocked(
        `Another branch is checked out; check out ${branch} (git switch ${branch}), then refresh again`,
      )
    // The origin has nothing that is not here.
    if (ahead.ok) return { updated: false, note: null, blocked: false }
    if (status.stdout.trim() !== '')
      return blocked('There is work that is not committed; commit or stash it, then refresh again')
    const merged = await git('merge', '-q', '--ff-only', upstream)
    if (!merged.ok) {
      const behind = await git('merge-base', '--is-ancestor', 'HEAD', upstream)
      if (behind.ok) return blocked(`Git leaves the files alone: ${log.redact(merged.stderr.trim())}`)
      return blocked(
        'The branch has commits that the origin does not have, and the origin has others; merge them (git pull --no-rebase), push, then refresh again',
      )
    }
    const after = await git('rev-parse', '-q', '--verify', 'HEAD')
    return { updated: after.stdout !== before.stdout, note: null, blocked: false }
  }

  async function resume(): Promise<void> {
    removeStaleLocks(workspace)
    await configure(cloning)
    try {
      await retrying(resumeAttempts, fastForward)
    } catch (failure) {
      // The work is here; the origin can be asked again later.
      error = log.redact(messageOf(failure))
    }
  }

  async function open(): Promise<boolean> {
    if (!auto_clone) {
      settings.resolve()
      return true
    }
    state = 'cloning'
    error = null
    try {
      // A fetch that was begun for a new session is no clone yet.
      const cloned = (await parts.begun) === null && (await isCloned(parts))
      // Written down first: a boot that is cut short between the two still owes the rest.
      if (!cloned && !is_new) restoration.owe()
      if (cloned) await resume()
      else await retrying(attempts, () => cloneRepository(cloning))
      if (restoration.isOwed()) await restoration.run()
      state = 'ready'
      settings.resolve()
      step('checked_out')
      void complete()
      return true
    } catch (failure) {
      state = 'failed'
      error = log.redact(messageOf(failure))
      log.error('the repository cannot be cloned', { error })
      return false
    } finally {
      settling.resolve()
    }
  }

  let known: Promise<Head> = Promise.resolve({ branch: auto_clone ? branch : null, commit: null })
  let knownUntil = 0

  /** Health is asked for many times a second while a session boots; git is asked about once. */
  function head(): Promise<Head> {
    if (auto_clone && state === 'ready' && Date.now() >= knownUntil) {
      knownUntil = Date.now() + headMs
      known = readHead(git, workspace)
    }
    return known
  }

  return {
    open,
    refresh: async () => {
      if (!auto_clone) return { updated: false, note: 'This sandbox has no repository', blocked: false }
      if (state !== 'ready') {
        const updated = await open()
        return { updated, note: error, blocked: false }
      }
      const outcome = await retrying(resumeAttempts, fastForward)
      error = null
      return outcome
    },
    settled: settling.promise,
    settings: settings.promise,
    health: async () => ({ state, url: auto_clone ? url : null, ...(await head()), error }),
  }
}

function blocked(note: string): RefreshOutcome {
  return { updated: false, note, blocked: true }
}

export function withoutCredentials(repo_url: string): string {
  try {
    const url = new URL(repo_url)
    url.username = ''
    url.password = ''
    return url.toString()
  } catch {
    return repo_url
  }
}
