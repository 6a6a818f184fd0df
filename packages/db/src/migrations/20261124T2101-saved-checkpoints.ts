/** The checkpoint that has everything a stopped sandbox has, and what becomes of the branches of deleted sessions. */
export const statements: readonly string[] = [
  `alter table session_sandboxes add column saved_checkpoint bigint`,

  `create table session_branches (
    session_id uuid primary key,
    project_id uuid not null references projects,
    branch_name text not null,
    state text not null check (state in ('kept', 'bundled', 'removed')),
    tip text,
    object_key text references archive_objects,
    deleted_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check (state <> 'bundled' or (tip is not null and object_key is not null))
  )`,
  `create index session_branches_object on session_branches (object_key) where object_key is not null`,
  `create index session_branches_due on session_branches (deleted_at) where state <> 'removed'`,
]
