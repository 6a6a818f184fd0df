import type { Platform } from '@svc/platform'

export interface RunningChannelWorker {
  /** Waits for the work that runs, until `force`. */
  close(force?: AbortSignal): Promise<void>
}

/** Talks with chats and mailboxes, and tells people and other systems what happened. */
export function startChannelWorker(_platform: Platform, _env: object): RunningChannelWorker {
  return { close: async () => {} }
}
