/** The kinds of things that wait for a person. An item is named `<kind>:<id>`. */
export const inboxKinds = [
  'change_request',
  'question',
  'permission',
  'session_failed',
  'trigger_failure',
  'manifest_invalid',
  'secret_missing',
  'budget_block',
  'review',
  'approval',
  'unknown_call',
  'connection',
  'notice',
] as const
export type InboxKind = (typeof inboxKinds)[number]

/** The kinds that an agent waits for: they end with an answer, a refusal or their time, and not with a mark. */
export const askKinds = ['question', 'permission'] as const satisfies readonly InboxKind[]
export type AskKind = (typeof askKinds)[number]
