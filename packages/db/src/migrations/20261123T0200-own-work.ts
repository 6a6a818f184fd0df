/** The author of a session, a change request, a branch and a fire: what an agent may do with them depends on it. */
export const statements: readonly string[] = [
  `alter table project_sessions add column ancestor_session_ids uuid[] not null default '{}'`,
  `with recursive lines (session_id, ancestors) as (
      select session_id, '{}'::uuid[] from project_sessions where parent_session_id is null
      union all
      select child.session_id, lines.ancestors || lines.session_id
      from project_sessions child join lines on child.parent_session_id = lines.session_id
    )
    update project_sessions set ancestor_session_ids = lines.ancestors
    from lines where lines.session_id = project_sessions.session_id and lines.ancestors <> '{}'`,

  // Not a reference to the session: it stays true when that is gone.
  `create table change_request_authors (
    cr_id uuid primary key references change_requests on delete cascade,
    session_id uuid not null
  )`,
  `insert into change_request_authors (cr_id, session_id)
    select cr_id, origin_session_id from change_requests where origin_session_id is not null`,
  `create table session_pushes (
    project_id uuid not null references projects on delete cascade,
    branch text not null,
    session_id uuid not null,
    pushed_at timestamptz(3) not null,
    primary key (project_id, branch, session_id)
  )`,

  `alter table trigger_fires add column actor_session_id uuid`,

  // Cleans earlier rows: links to sessions that are removed, and ids that no reader of a change request knows.
  `update change_requests set origin_session_id = null
    from project_sessions
    where project_sessions.session_id = origin_session_id and project_sessions.deleted_at is not null`,
  `alter table change_requests disable trigger change_requests_merged_is_final`,
  `update change_requests set metadata = jsonb_set(metadata, '{requested_changes}',
      (select jsonb_agg(entry - 'id' order by at)
        from jsonb_array_elements(metadata->'requested_changes') with ordinality as list (entry, at)))
    where jsonb_typeof(metadata->'requested_changes') = 'array'
      and jsonb_array_length(metadata->'requested_changes') > 0`,
  `alter table change_requests enable trigger change_requests_merged_is_final`,
]
