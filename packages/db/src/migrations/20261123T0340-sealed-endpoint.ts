/** An endpoint with more to it than an address; sealed, since its headers may be a credential. */
export const statements: readonly string[] = [
  `alter table session_sandboxes add column sealed_endpoint text`,
  `alter table warm_sandboxes add column sealed_endpoint text`,
]
