/** The trace of the request that put a prompt: its turn, which other processes see, goes on with it. */
export const statements: readonly string[] = [`alter table session_prompts add column traceparent text`]
