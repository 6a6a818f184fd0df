/** The cost of model calls that events of a session have reported, so that each event has what came since. */
export const statements: readonly string[] = [
  `alter table project_sessions add column reported_micros bigint not null default 0`,
]
