/** The connections that a process may open, whose sum is compared with what the server takes. */
export const statements: readonly string[] = [
  `alter table processes add column connections integer not null default 0`,
]
