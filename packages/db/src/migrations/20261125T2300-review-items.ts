/** Work and decisions that agents and people show to a person, with the verdict on each. */
export const statements: readonly string[] = [
  `create table review_items (
    review_id uuid primary key,
    project_id uuid not null references projects on delete cascade,
    session_id uuid references project_sessions on delete set null,
    kind text not null check (kind in ('output', 'decision')),
    title text not null check (length(title) between 1 and 200),
    summary text not null,
    risk text not null check (risk in ('none', 'low', 'medium', 'high')),
    files jsonb not null check (jsonb_array_length(files) <= 50),
    options jsonb not null check (jsonb_array_length(options) <= 9),
    url text check (url ~ '^https://'),
    status text not null check (status in ('needs_you', 'changes_requested', 'approved', 'rejected', 'dismissed', 'withdrawn')),
    version integer not null check (version > 0),
    verdict_by uuid references users,
    feedback text,
    option text,
    decided_at timestamptz(3),
    created_by uuid not null references users,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check ((kind = 'decision') = (jsonb_array_length(options) >= 2) and jsonb_array_length(options) <> 1),
    check ((status in ('needs_you', 'withdrawn')) = (decided_at is null)),
    check ((decided_at is null) = (verdict_by is null)),
    check (decided_at is not null or (feedback is null and option is null)),
    check (status <> 'changes_requested' or feedback is not null),
    check ((option is not null) = (status = 'approved' and kind = 'decision'))
  )`,
  `create index review_items_project on review_items (project_id, created_at, review_id)`,
  `create index review_items_session on review_items (session_id) where session_id is not null`,
  `create index review_items_open on review_items (project_id, updated_at) where status = 'needs_you'`,
  `create index review_items_creator on review_items (created_by)`,
  `create index review_items_judge on review_items (verdict_by) where verdict_by is not null`,
  `create trigger review_items_told after insert on review_items for each row execute function tell_change('review', 'review_id')`,
  `create trigger review_items_retold after update on review_items for each row
    when (old.status is distinct from new.status or old.version is distinct from new.version)
    execute function tell_change('review', 'review_id')`,
]
