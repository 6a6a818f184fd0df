/** Jobs that failed and did not succeed since: one row for each job of a row. */
export const statements: readonly string[] = [
  `create table job_failures (
    failure_id uuid primary key,
    queue text not null,
    job text not null,
    row_id uuid not null,
    ids jsonb not null,
    error text not null,
    attempts integer not null default 1 check (attempts > 0),
    request_id text,
    failed_at timestamptz(3) not null,
    resolved_at timestamptz(3),
    unique (queue, job, row_id)
  )`,
  `create index job_failures_open on job_failures (queue, job, row_id) where resolved_at is null`,
  `create index job_failures_newest on job_failures (failed_at desc, failure_id desc)`,
]
