/** Moves of addresses that are not wanted any more. */
export const statements: readonly string[] = [
  `alter table app_rollouts drop constraint app_rollouts_status_check`,
  `alter table app_rollouts drop constraint app_rollouts_check`,
  `alter table app_rollouts add constraint app_rollouts_status_check
    check (status in ('pending', 'starting', 'switched', 'drained', 'failed', 'cancelled')) not valid`,
  `alter table app_rollouts add constraint app_rollouts_check
    check ((status in ('drained', 'failed', 'cancelled')) = (finished_at is not null)) not valid`,
]
