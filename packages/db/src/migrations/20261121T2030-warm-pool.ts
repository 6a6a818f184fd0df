/** Sandboxes that wait for a session. A claimed one is its session's already; its row goes once it knows that. */
export const statements: readonly string[] = [
  `create table warm_sandboxes (
    warm_id uuid primary key,
    pool text not null,
    recipe text not null,
    state text not null check (state in ('warming', 'ready', 'claimed', 'gone')),
    sealed_data_key text not null,
    sealed_key text not null,
    external_id text unique,
    endpoint text,
    session_id uuid references project_sessions on delete cascade,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check ((state = 'claimed') = (session_id is not null)),
    check (state in ('warming', 'gone') or (external_id is not null and endpoint is not null))
  )`,
  `create index warm_sandboxes_ready on warm_sandboxes (pool, recipe, created_at) where state = 'ready'`,
  `create index warm_sandboxes_session on warm_sandboxes (session_id) where session_id is not null`,
]
