/** Wakes of apps by how long they took, as answers are counted. */
export const statements: readonly string[] = [
  `alter table app_minutes add column wake_latency integer[] not null default '{}'`,
]
