/** A door to its sandboxes says that other machines have workers of their own: the jobs of a sandbox are then its machine's. */
export const statements: readonly string[] = [
  `alter table machines add column door boolean not null default false`,
]
