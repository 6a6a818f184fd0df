/**
 * Months of the log that are over, packed in objects: each row is a piece of one session's log. A piece that is being packed
 * is a draft, until its month is sealed. An object that no piece names since `unnamed_at` goes after the window of backups.
 */
export const statements: readonly string[] = [
  `create table archive_objects (
    object_key text primary key,
    bytes bigint not null,
    unnamed_at timestamptz(3)
  )`,
  `create index archive_objects_unnamed on archive_objects (unnamed_at) where unnamed_at is not null`,

  `create table event_archives (
    archive_id uuid primary key default gen_random_uuid(),
    session_id uuid not null references project_sessions,
    partition text not null references event_partitions,
    first_seq bigint not null,
    last_seq bigint not null check (last_seq >= first_seq),
    object_key text not null references archive_objects,
    "offset" bigint not null,
    length integer not null,
    sha256 text not null,
    prev_sha256 text,
    has_conversation boolean not null,
    open_events jsonb not null,
    unique (session_id, last_seq)
  )`,
  `create index event_archives_object on event_archives (object_key)`,
  `create index event_archives_partition on event_archives (partition, session_id, last_seq)`,

  `create table event_archive_drafts (
    object_key text not null references archive_objects,
    "offset" bigint not null,
    partition text not null references event_partitions,
    session_id uuid not null,
    first_seq bigint not null,
    last_seq bigint not null,
    length integer not null,
    sha256 text not null,
    has_conversation boolean not null,
    open_events jsonb not null,
    primary key (object_key, "offset")
  )`,
  `create index event_archive_drafts_piece on event_archive_drafts (partition, session_id, first_seq)`,

  // The first event that is kept.
  `alter table project_sessions add column first_event_seq bigint not null default 1`,

  // With the rights of the schema's owner, as months are made. A default partition is there, beside which PostgreSQL detaches
  // none concurrently: the lock is one of milliseconds, and who waits for it longer than two seconds tries again.
  `create function drop_event_partition(month text, at timestamptz) returns boolean
    language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended('event-partitions', 0));
      update event_partitions set state = 'dropped', updated_at = at where name = month and state = 'sealed';
      if not found then return false; end if;
      execute format('alter table session_events detach partition %I', month);
      execute format('drop table %I', month);
      return true;
    end $$`,
]
