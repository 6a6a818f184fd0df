/**
 * Backups that were asked for, run or ended. Of a running one that nobody claimed yet the scheduler takes care; one whose
 * claim is older than its holder's last sign of life is failed by the next run.
 */
export const statements: readonly string[] = [
  `create table backups (
    backup_id uuid primary key,
    name text not null unique,
    state text not null check (state in ('running', 'done', 'failed')),
    target text not null,
    started_at timestamptz(3) not null,
    claimed_at timestamptz(3),
    finished_at timestamptz(3),
    bytes bigint,
    error text,
    check ((state = 'running') = (finished_at is null)),
    check (state <> 'done' or bytes is not null),
    check (state <> 'failed' or error is not null)
  )`,
  `create unique index backups_running on backups (state) where state = 'running'`,
  `create index backups_by_start on backups (started_at desc, backup_id)`,
]
