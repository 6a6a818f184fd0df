/** The rows of sandboxes that were owed work before their rows could say it. */
export const statements: readonly string[] = [
  `update session_sandboxes b set owed = case when s.deleted_at is not null then 'destroy' else 'stop' end
    from project_sessions s
    where s.session_id = b.session_id and b.owed is null and (
      s.deleted_at is not null and b.status <> 'archived'
      or s.deleted_at is null and s.status in ('stopped', 'failed')
        and (b.status in ('provisioning', 'active') or b.retired <> '{}'))`,
  `alter table session_sandboxes validate constraint session_sandboxes_owed_check`,
]
