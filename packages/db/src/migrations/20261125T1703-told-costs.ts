/** The cost of model calls that the events of a session have told, so that each event tells what came since. */
export const statements: readonly string[] = [
  `alter table project_sessions add column told_micros bigint not null default 0`,
]
