import { type Log, messageOf } from '../log.ts'
import { backoffMs, pause } from '../shared/backoff.ts'
import type { GitWith } from './git-with.ts'
import { restoreSnapshot } from './restore.ts'
import { takeSnapshot } from './snapshot.ts'
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

const restoreAttempts = 4

/** Keeps the work in progress at the platform. One at a time; what did not change is not saved again. */
export function createCheckpoints(parts: {
  readonly git: GitWith
  readonly store: CheckpointStore
  readonly workspace: string
  readonly index_file: string
  /** What the clone began with: as long as nothing is added to it there is nothing to save. */
  readonly isPushed: (head: string) => Promise<boolean>
  readonly onEvent: (event: CheckpointEvent) => void
  readonly signal: AbortSignal
  readonly log: Log
}): Checkpoints {
  const { git, store, workspace, index_file, isPushed, onEvent, signal, log } = parts
  let saved: { readonly number: number; readonly state: string } | null = null
  let known: number | null = null
  let failing = false
  let last: Promise<unknown> = Promise.resolve()

  async function save(reason: CheckpointReason): Promise<number | null> {
    const { commit, state, clean, head } = await takeSnapshot({ git, workspace, index_file })
    if (saved?.state === state) return saved.number
    known ??= (await store.newest())?.number ?? 0
    // Once something was saved, its end is news as well: the newest checkpoint is what is restored.
    if (known === 0 && clean && head !== null && (await isPushed(head))) return null
    const number = known + 1
    try {
      await store.push(commit, number)
    } catch (error) {
      // It may have arrived all the same: the next one asks.
      known = null
      throw error
    }
    known = number
    saved = { number, state }
    onEvent({ number, state: 'saved', reason })
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
    // An outage is told once, and again after it was over.
    if (!failing) onEvent({ number: null, state: 'failed', message, ...(reason ? { reason } : {}) })
    failing = true
    return null
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }

  return {
    save: (reason) =>
      inTurn(async () => {
        try {
          const number = await save(reason)
          failing = false
          return number
        } catch (error) {
          return failed('the work in progress was not saved', error, reason)
        }
      }),
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
