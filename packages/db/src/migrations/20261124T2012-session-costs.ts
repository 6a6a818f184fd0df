/** The sum of what the runtimes told of a session's cost, kept with it: a list does not read logs. */
export const statements: readonly string[] = [
  `alter table project_sessions add column cost_micros bigint not null default 0`,
  `update project_sessions set cost_micros = told.micros from (
      select session_id, sum(round((payload ->> 'cost_usd')::numeric * 1000000))::bigint as micros
      from session_events where type = 'usage' and jsonb_typeof(payload -> 'cost_usd') = 'number'
      group by session_id
    ) told where told.session_id = project_sessions.session_id and told.micros > 0`,
]
