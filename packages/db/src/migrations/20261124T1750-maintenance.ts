/** One row: whether the platform is closed, to what, and the words for those who are refused. */
export const statements: readonly string[] = [
  `create table maintenance (
    id boolean primary key default true check (id),
    mode text not null default 'off',
    message text,
    retry_after_seconds integer not null default 60,
    until timestamptz(3),
    changed_by uuid references users on delete set null,
    changed_at timestamptz(3) not null default now(),
    constraint maintenance_mode_check check (mode in ('off', 'drain', 'read_only'))
  )`,
  `insert into maintenance default values`,
]
