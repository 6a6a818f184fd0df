/** Secrets of one person in a project, and who was given which secret. */
export const statements: readonly string[] = [
  `create table personal_secrets (
    project_id uuid not null references projects on delete cascade,
    user_id uuid not null references users on delete cascade,
    name text not null check (name ~ '^[A-Za-z_][A-Za-z0-9_]*$' and name !~ '^SVC_'),
    sealed_value text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (project_id, user_id, name)
  )`,
  `create index personal_secrets_user on personal_secrets (user_id)`,

  // A session that was given a personal secret of its owner is closed to other people, and stays so.
  `alter table project_sessions add column holds_personal_secrets boolean not null default false`,
  `alter table project_sessions add constraint project_sessions_personal
    check (not (holds_personal_secrets and visibility = 'project'))`,

  // One row a sandbox that was given any; names, never values.
  `create table secret_accesses (
    access_id uuid primary key,
    project_id uuid not null references projects on delete cascade,
    session_id uuid not null references project_sessions on delete cascade,
    user_id uuid not null references users,
    agent_name text not null,
    names text[] not null,
    personal_names text[] not null,
    at timestamptz(3) not null,
    check (cardinality(names) + cardinality(personal_names) > 0)
  )`,
  `create index secret_accesses_project on secret_accesses (project_id, at desc, access_id desc)`,
  `create index secret_accesses_session on secret_accesses (session_id)`,
]
