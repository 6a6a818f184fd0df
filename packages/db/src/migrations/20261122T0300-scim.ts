/** Facts of a directory about the people of an account, and the roles that its groups give them. */
export const statements: readonly string[] = [
  `alter table audit_events drop constraint audit_events_actor_type_check`,
  `alter table audit_events add constraint audit_events_actor_type_check check (actor_type in
    ('user', 'project', 'session', 'sandbox', 'gateway', 'service', 'scim', 'system'))`,

  // A role that a group gave ends with the group; a role that a person gave by hand does not.
  `alter table account_members add column from_directory boolean not null default false
    check (role = 'admin' or not from_directory)`,
  `alter table project_members add column from_directory boolean not null default false
    check (role_id is null or not from_directory)`,

  // A person as the directory of one account knows them. An active person is a member: a row of account_members.
  `create table scim_users (
    account_id uuid not null references accounts on delete cascade,
    user_id uuid not null references users on delete cascade,
    user_name text not null check (user_name <> ''),
    external_id text,
    made boolean not null default false,
    attributes jsonb not null check (jsonb_typeof(attributes) = 'object'),
    parked jsonb check (jsonb_typeof(parked) = 'object'),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (account_id, user_id)
  )`,
  `create unique index scim_users_name on scim_users (account_id, lower(user_name))`,
  `create index scim_users_external on scim_users (account_id, external_id) where external_id is not null`,
  `create index scim_users_user on scim_users (user_id)`,

  `create table scim_groups (
    account_id uuid not null references accounts on delete cascade,
    group_id uuid not null unique,
    display_name text not null check (display_name <> ''),
    external_id text,
    account_role text not null default 'member' check (account_role in ('admin', 'member')),
    version integer not null default 1 check (version > 0),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (account_id, group_id)
  )`,
  `create unique index scim_groups_name on scim_groups (account_id, lower(display_name))`,
  // The account is part of both keys: a person of another account cannot become a member.
  `create table scim_group_members (
    account_id uuid not null,
    group_id uuid not null,
    user_id uuid not null,
    primary key (account_id, group_id, user_id),
    foreign key (account_id, group_id) references scim_groups on delete cascade,
    foreign key (account_id, user_id) references scim_users on delete cascade
  )`,
  `create index scim_group_members_user on scim_group_members (account_id, user_id)`,
  `create table scim_group_projects (
    account_id uuid not null,
    group_id uuid not null,
    project_id uuid not null references projects on delete cascade,
    role text not null check (role in ('manager', 'editor', 'member', 'viewer')),
    primary key (group_id, project_id),
    foreign key (account_id, group_id) references scim_groups on delete cascade
  )`,
  `create index scim_group_projects_project on scim_group_projects (project_id)`,

  `create index tokens_account on tokens (account_id) where account_id is not null`,
]
