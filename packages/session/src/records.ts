export const sessionOrigins = ['user', 'trigger', 'api', 'system', 'channel'] as const
export type SessionOrigin = (typeof sessionOrigins)[number]

/** False for a session into which others may speak from outside, by a trigger or in a channel: it has nothing of its owner's own. */
export const isOwnersOwn = (origin: SessionOrigin): boolean => origin !== 'trigger' && origin !== 'channel'

export const failureCategories = [
  'capacity',
  'image',
  'quota',
  'network',
  'gone',
  'exited',
  'repository',
  'timeout',
  'internal',
] as const
export type FailureCategory = (typeof failureCategories)[number]

/** The reason that a session is not running although it should: in the sandbox's own words. */
export interface SessionFailure {
  readonly category: FailureCategory
  readonly message: string
  readonly retryable: boolean
}

export const stopReasons = [
  'user',
  'idle',
  'sandbox_exited',
  'platform_shutdown',
  'deleted',
  'operator',
] as const
export type StopReason = (typeof stopReasons)[number]

/** The part of the platform that a prompt comes from; its event in the log says the same word. */
export const promptSources = [
  'user',
  'initial',
  'request_changes',
  'trigger',
  'connector',
  'review',
  'checks',
  'channel',
  'monitor',
] as const
export type PromptSource = (typeof promptSources)[number]

/** The key, in its session, of the prompt that a session is created with. */
export const firstPromptKey = 'initial'

/** The states of a session as a list shows them: what its row says, with what its agent does. */
export const summaryStates = ['waiting', 'working', 'starting', 'idle', 'stopped', 'failed'] as const
export type SummaryState = (typeof summaryStates)[number]
