/** A daemon that could not save its work tells so, and the row keeps it until the work is saved. */
export const statements: readonly string[] = [
  `alter table session_sandboxes add column unsaved_since timestamptz(3)`,
]
