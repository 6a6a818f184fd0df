import type { Reporter } from '../events/reporter.ts'
import { daemonLimits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { PlatformApi } from '../platform/platform-api.ts'
import { backoffMs, pause } from '../shared/backoff.ts'
import type { SessionStore } from './session-store.ts'
import { withHistory } from './history.ts'
import type { QueuedPrompt } from './queue.ts'

const historyAttempts = 5

export interface WordingParts {
  readonly store: SessionStore
  readonly api: Pick<PlatformApi, 'history'>
  readonly reporter: Pick<Reporter, 'error'>
  readonly log: Log
}

/** The text of a prompt for the runtime: one that does not know the conversation gets it with its first prompt. */
export function createWording({ store, api, reporter, log }: WordingParts) {
  return async ({ text }: Pick<QueuedPrompt, 'text'>): Promise<string> => {
    if (!store.state.history_owed) return text
    for (let attempt = 1; attempt <= historyAttempts; attempt += 1) {
      try {
        return withHistory(text, await api.history(), daemonLimits.historyChars)
      } catch (error) {
        log.warn('the conversation so far is not to be had', { attempt, error })
        await pause(backoffMs(attempt - 1))
      }
    }
    reporter.error(
      `history:${Date.now()}`,
      'The agent goes on without the conversation so far: the platform did not answer',
    )
    return text
  }
}
