/** The status of a trigger's last fire is one of a fire's. */
export const statements: readonly string[] = [
  `alter table project_triggers add constraint project_triggers_last_status_check
    check (last_status in ('pending', 'fired', 'queued', 'skipped', 'deduped', 'missed', 'failed')) not valid`,
]
