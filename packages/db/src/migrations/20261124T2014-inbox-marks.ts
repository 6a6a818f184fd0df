/** The items that people put aside in their inbox, and the files of a change request they have looked at. */
export const statements: readonly string[] = [
  `create table inbox_marks (
    user_id uuid not null references users on delete cascade,
    item_id text not null check (length(item_id) <= 512),
    version text not null check (length(version) <= 255),
    state text not null check (state in ('done', 'snoozed')),
    until timestamptz(3),
    marked_at timestamptz(3) not null,
    primary key (user_id, item_id),
    check ((state = 'snoozed') = (until is not null))
  )`,
  `create table cr_viewed_files (
    user_id uuid not null references users on delete cascade,
    cr_id uuid not null references change_requests on delete cascade,
    path text not null,
    patch_hash text not null check (patch_hash ~ '^[0-9a-f]{64}$'),
    viewed_at timestamptz(3) not null,
    primary key (user_id, cr_id, path)
  )`,
  `create index cr_viewed_files_cr on cr_viewed_files (cr_id)`,
]
