/** Counters of attempts, which may be lost in a crash; those of requests stay in the table of the library that writes them. */
export const statements: readonly string[] = [
  `create unlogged table attempt_counts (
    key text primary key,
    attempts integer not null check (attempts >= 0),
    until timestamptz not null
  )`,
  `create index attempt_counts_until on attempt_counts (until)`,
]
