export const in_transaction = false

/** Sandboxes whose work is not saved: few, among all that there are. */
export const statements: readonly string[] = [
  `create index concurrently if not exists session_sandboxes_unsaved on session_sandboxes (unsaved_since)
    where unsaved_since is not null`,
]
