export const in_transaction = false

/** Stopped sandboxes whose files may go. */
export const statements: readonly string[] = [
  `create index concurrently if not exists session_sandboxes_saved on session_sandboxes (updated_at)
    where saved_checkpoint is not null and status = 'stopped'`,
]
