import type { InboxPrompt } from '@svc/sdk'

export interface WaitingPrompts {
  readonly running: InboxPrompt | undefined
  /** The waiting prompts, in the order of their turns. */
  readonly waiting: readonly InboxPrompt[]
}

/**
 * From one list for each state, read in the order in which a prompt goes through them: one that moved on meanwhile is in
 * two lists, and stands where the later one says.
 */
export function waitingPrompts(
  pending: readonly InboxPrompt[],
  delivered: readonly InboxPrompt[],
  running: readonly InboxPrompt[],
): WaitingPrompts {
  const without = (prompts: readonly InboxPrompt[], later: readonly InboxPrompt[]) =>
    prompts.filter(({ prompt_id }) => !later.some((one) => one.prompt_id === prompt_id))
  return {
    running: running[0],
    waiting: [...without(delivered, running), ...without(pending, [...delivered, ...running])],
  }
}
