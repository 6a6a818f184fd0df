/** The keys of one month of the log, made while the log is written. */
export const in_transaction = false
export const statements: readonly string[] = [
  `create unique index concurrently if not exists session_events_first_key
    on session_events (session_id, seq, stored_at)`,
  `create index concurrently if not exists session_events_first_event
    on session_events (session_id, event_id) where event_id is not null`,
  `-- squawk-ignore prefer-robust-stmts
  alter table session_events validate constraint session_events_first`,
]
