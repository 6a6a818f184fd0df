/** The storage of each managed repository: its kind, how often it was published there, and its size. */
export const statements: readonly string[] = [
  `create table repositories (
    project_id uuid primary key references projects on delete cascade,
    store text not null default 'local',
    generation bigint not null default 0,
    manifest_key text,
    bytes bigint not null default 0,
    packs integer not null default 0,
    updated_at timestamptz(3) not null default now(),
    constraint repositories_store_check check (store in ('local', 'object')),
    constraint repositories_generation_check
      check (store = 'local' or generation = 0 or manifest_key is not null)
  )`,
]
