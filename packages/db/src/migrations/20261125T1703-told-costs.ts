/** What the events of a session have told of the cost of its model calls, so that each event tells what came since. */
export const statements: readonly string[] = [
  `alter table project_sessions add column told_micros bigint not null default 0`,
]
