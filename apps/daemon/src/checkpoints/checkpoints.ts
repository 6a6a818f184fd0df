import { pauseAfterFailures } from '@svc/timing'
import { type Log, messageOf } from '../log.ts'
import { GitError } from '../git/git.ts'
import { backoffMs, pause } from '../shared/backoff.ts'
import type { GitWith } from './git-with.ts'
import { restoreSnapshot } from './restore.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'
import type { CheckpointStore } from './store.ts'

export type CheckpointReason = 'turn' | 'periodic' | 'stop'

export interface CheckpointEvent {
  readonly number: number | null
  readonly state: 'saved' | 'restored' | 'failed'
  readonly reason?: CheckpointReason
  readonly message?: string
}

export interface Checkpoints {
  /** The number under which the work is saved now; null when that failed or there is no work yet. Never throws. */
  save(reason: CheckpointReason): Promise<number | null>
  /** Before the agent begins in a new clone. Never throws: without it the agent goes on from what was pushed. */
  restore(): Promise<void>
}

interface SnapshotPlace {
  readonly git: GitWith
  readonly store: CheckpointStore
}

const unusable =
  'The git repository of the workspace could not be used: its files are saved, its commits are not'
const namedPaths = 5
/** About a minute: what an agent begins without its work takes that work's place at the next checkpoint. */
const restoreAttempts = 8

/** Keeps the work in progress at the platform. One at a time; what did not change is not saved again. */
export function createCheckpoints(parts: {
  readonly git: GitWith
  readonly store: CheckpointStore
  /** The place for the files when the workspace's own repository is of no use any more. */
  readonly spare: () => Promise<SnapshotPlace>
  readonly workspace: string
  readonly index_file: string
  /** True for a commit of the origin, as the clone's first: until something is added to it there is nothing to save. */
  readonly isPushed: (head: string) => Promise<boolean>
  readonly onEvent: (event: CheckpointEvent) => void
  readonly signal: AbortSignal
  readonly log: Log
}): Checkpoints {
  const { git, store, workspace, index_file, isPushed, onEvent, signal, log } = parts
  let saved: { readonly number: number; readonly state: string } | null = null
  let known: number | null = null
  let failing = false
  let reported: CheckpointEvent['state'] = 'saved'
  let owed: Promise<void> | null = null
  let last: Promise<unknown> = Promise.resolve()

  async function snapshot(): Promise<Snapshot & { store: CheckpointStore; note: string | null }> {
    try {
      const taken = await takeSnapshot({ git, workspace, index_file })
      return { ...taken, store, note: null }
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      log.warn('the files are saved without the repository of the workspace', { error })
      const spare = await parts.spare()
      const taken = await takeSnapshot({ git: spare.git, workspace, index_file, without_index: true })
      return { ...taken, store: spare.store, note: unusable }
    }
  }

  async function save(reason: CheckpointReason): Promise<number | null> {
    const { commit, state, clean, head, left_out, store, note } = await snapshot()
    if (saved?.state === state) return saved.number
    known ??= (await store.newest())?.number ?? 0
    // Once something was saved, its end is news as well: the newest checkpoint is what is restored.
    if (known === 0 && clean && head !== null && (await isPushed(head))) return null
    const number = known + 1
    try {
      await store.push(await commit(), number)
    } catch (error) {
      // The checkpoint may have arrived all the same: the next one asks.
      known = null
      throw error
    }
    known = number
    saved = { number, state }
    const message = [note, leftOut(left_out)].filter((words) => words !== null).join('. ')
    reported = 'saved'
    onEvent({ number, state: 'saved', reason, ...(message === '' ? {} : { message }) })
    return number
  }

  async function restore(): Promise<void> {
    const newest = await store.newest()
    if (!newest) return
    await store.fetch(newest.number)
    const changed = await restoreSnapshot(git, newest.commit)
    const { state } = await takeSnapshot({ git, workspace, index_file })
    known = newest.number
    saved = { number: newest.number, state }
    if (changed) onEvent({ number: newest.number, state: 'restored' })
  }

  function failed(what: string, error: unknown, reason?: CheckpointReason): null {
    const message = log.redact(messageOf(error))
    log.warn(what, { error: message })
    // An outage is reported once, and again after it was over.
    if (!failing) onEvent({ number: null, state: 'failed', message, ...(reason ? { reason } : {}) })
    failing = true
    reported = 'failed'
    return null
  }

  /** The work may be again as it was when it was saved last; the platform hears all the same that it has it. */
  function recovered(number: number | null): void {
    failing = false
    if (reported !== 'saved') onEvent({ number, state: 'saved' })
    reported = 'saved'
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }

  const attempt = (reason: CheckpointReason): Promise<number | null> =>
    inTurn(async () => {
      try {
        const number = await save(reason)
        if (failing) recovered(number)
        return number
      } catch (error) {
        return failed('the work in progress was not saved', error, reason)
      }
    })

  /** An agent that is idle saves nothing by itself: what was not saved is tried again until it is. */
  async function saveLater(reason: CheckpointReason): Promise<void> {
    for (let failures = 1; failing && !signal.aborted; failures += 1) {
      await pause(pauseAfterFailures(failures), signal)
      if (failing && !signal.aborted) await attempt(reason)
    }
    owed = null
  }

  return {
    save: async (reason) => {
      const number = await attempt(reason)
      if (failing && reason !== 'stop') owed ??= saveLater(reason)
      return number
    },
    restore: () =>
      inTurn(async () => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await restore()
          } catch (error) {
            if (signal.aborted) return
            if (attempt >= restoreAttempts) {
              failed('the work in progress was not restored', error)
              return
            }
            await pause(backoffMs(attempt - 1), signal)
          }
        }
      }),
  }
}

function leftOut(paths: readonly string[]): string | null {
  if (paths.length === 0) return null
  const more = paths.length > namedPaths ? ` and ${paths.length - namedPaths} more` : ''
  return `Not saved, since it is too large or cannot be read: ${paths.slice(0, namedPaths).join(', ')}${more}`
}
