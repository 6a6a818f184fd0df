/** Address at which a busy sandbox tells its provider that it is in use; sealed: its headers may be a credential. */
export const statements: readonly string[] = [`alter table session_sandboxes add column sealed_edge text`]
