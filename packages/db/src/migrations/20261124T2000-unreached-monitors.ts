/** Why the scheduler does not reach the sandbox of a project's monitors, once it has tried for a while. */
export const statements: readonly string[] = [
  `alter table monitor_hosts add column if not exists unreached text`,
]
