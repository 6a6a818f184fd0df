/**
 * The log of sessions by months of `stored_at`. The table of before is its first partition as it is, without a copy; builds
 * of before go on with the name. A repeat of an `event_id` is refused under the lock of the session's row.
 */
export const statements: readonly string[] = [
  `lock table session_events in access exclusive mode`,
  `alter table session_events drop constraint session_events_pkey`,
  `alter table session_events add constraint session_events_first_pkey primary key using index session_events_first_key`,
  `-- squawk-ignore require-concurrent-index-deletion
  drop index session_events_event`,
  `drop trigger session_events_are_append_only on session_events`,
  `-- squawk-ignore renaming-table
  alter table session_events rename to session_events_first`,

  `create table session_events (like session_events_first including defaults) partition by range (stored_at)`,
  `-- squawk-ignore adding-serial-primary-key-field
  alter table session_events add primary key (session_id, seq, stored_at)`,
  `alter table session_events add foreign key (session_id) references project_sessions on delete cascade`,
  `create index session_events_event on session_events (session_id, event_id) where event_id is not null`,
  `create trigger session_events_are_append_only before update on session_events
    for each row execute function session_events_are_append_only()`,
  `do $$
    begin
      execute (select format('alter table session_events attach partition %I for values from (minvalue) to (%L)',
        name, to_at) from event_partitions);
    end $$`,
  `create table session_events_default partition of session_events default`,

  // With the rights of the schema's owner: a service that calls it may make months and nothing else. Rows of a month that
  // was not made in time are in the default partition, and move.
  `create function make_event_partitions(at timestamptz, ahead integer) returns integer
    language plpgsql security definer set search_path from current as $$
    declare
      last timestamptz := (date_trunc('month', at at time zone 'UTC') + make_interval(months => ahead + 1))
        at time zone 'UTC';
      made integer := 0;
      begins timestamptz;
      ends timestamptz;
      month text;
    begin
      perform pg_advisory_xact_lock(hashtextextended('event-partitions', 0));
      loop
        select max(to_at) into begins from event_partitions;
        exit when begins >= last;
        ends := (begins at time zone 'UTC' + interval '1 month') at time zone 'UTC';
        month := 'session_events_' || to_char(begins at time zone 'UTC', 'YYYY_MM');
        execute format('create table %I (like session_events including all)', month);
        execute format('with moved as (delete from session_events_default
          where stored_at >= %L and stored_at < %L returning *) insert into %I select * from moved', begins, ends, month);
        execute format('alter table session_events attach partition %I for values from (%L) to (%L)',
          month, begins, ends);
        insert into event_partitions (name, from_at, to_at, state) values (month, begins, ends, 'open');
        made := made + 1;
      end loop;
      return made;
    end $$`,
  `select make_event_partitions(now(), 2)`,
]
