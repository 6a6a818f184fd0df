/** The questions and permissions that agents asked for, each with its outcome: an inbox reads the open ones without reading logs. */
export const statements: readonly string[] = [
  `create table session_asks (
    session_id uuid not null references project_sessions on delete cascade,
    request_id text not null,
    project_id uuid not null references projects on delete cascade,
    kind text not null check (kind in ('question', 'permission')),
    state text not null check (state in ('asked', 'replied', 'rejected', 'expired', 'timed_out')),
    body jsonb not null,
    tool jsonb,
    asked_at timestamptz(3) not null,
    expires_at timestamptz(3),
    ended_at timestamptz(3),
    primary key (session_id, request_id),
    check ((state = 'asked') = (ended_at is null))
  )`,
  `create index session_asks_open on session_asks (project_id, expires_at) where state = 'asked'`,
  `insert into session_asks (session_id, request_id, project_id, kind, state, body, asked_at, ended_at)
    select asked.session_id, asked.request_id, project_id, asked.type,
      coalesce(ended.state, 'asked'), asked.body, asked.at, ended.at
    from (
      select distinct on (session_id, payload ->> 'request_id')
        session_id, payload ->> 'request_id' as request_id, type, payload - 'state' as body, at, seq
      from session_events
      where type in ('question', 'permission') and payload ->> 'state' = 'asked'
        and payload ->> 'request_id' is not null
      order by session_id, payload ->> 'request_id', seq
    ) asked
    join project_sessions using (session_id)
    left join lateral (
      select payload ->> 'state' as state, at from session_events later
      where later.session_id = asked.session_id and later.seq > asked.seq and later.type = asked.type
        and later.payload ->> 'request_id' = asked.request_id
        and later.payload ->> 'state' in ('replied', 'rejected', 'expired', 'timed_out')
      order by later.seq limit 1
    ) ended on true`,
]
