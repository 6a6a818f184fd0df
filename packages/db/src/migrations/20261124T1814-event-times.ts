/**
 * The server's clock beside the reporter's, and the months that the log of sessions is going to be kept in. The table of
 * now becomes the first of them: its check says so beforehand, for a week at the least, so that nothing is read again then.
 */
export const statements: readonly string[] = [
  `create table event_partitions (
    name text primary key,
    from_at timestamptz(3) not null,
    to_at timestamptz(3) not null unique check (to_at > from_at),
    state text not null check (state in ('open', 'sealing', 'sealed', 'dropped')),
    rows bigint,
    bytes bigint,
    updated_at timestamptz(3) not null default now()
  )`,
  // The time of the change for all that was there: nothing is written to a row.
  `alter table session_events add column stored_at timestamptz(3) not null default now()`,
  // Read under the lock of the session's row, so that it goes up with the number.
  `alter table session_events alter column stored_at set default clock_timestamp()`,
  `do $$
    declare
      until timestamptz := (date_trunc('month', (now() + interval '7 days') at time zone 'UTC') + interval '1 month')
        at time zone 'UTC';
    begin
      insert into event_partitions (name, from_at, to_at, state)
        values ('session_events_first', '-infinity', until, 'open');
      execute format('alter table session_events add constraint session_events_first check (stored_at < %L) not valid',
        until);
    end $$`,
]
