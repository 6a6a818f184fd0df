/** Files that came with messages of channels, and those that go out with them. */
export const statements: readonly string[] = [
  `create table channel_files (
    file_id uuid primary key,
    channel_id uuid not null references project_channels on delete cascade,
    account_id uuid not null,
    project_id uuid not null,
    -- Of what came in, or of what goes out.
    delivery_id uuid references channel_deliveries on delete cascade,
    message_id uuid references channel_messages on delete cascade,
    position integer not null check (position >= 0),
    name text not null check (name ~ '^[A-Za-z0-9._-]{1,120}$' and name not in ('.', '..')),
    type text not null,
    bytes bigint not null check (bytes >= 0),
    sha256 bytea check (octet_length(sha256) = 32),
    -- Null for one that was left out, and once it is no longer kept.
    content bytea,
    left_out text,
    -- The prompt before which it is put into the sandbox, by the key that counts once in its session.
    session_id uuid,
    prompt_key text,
    -- The platform's name of it, where it is there before its message is.
    upload text,
    created_at timestamptz(3) not null,
    unique (delivery_id, position),
    unique (message_id, position),
    check ((delivery_id is null) <> (message_id is null)),
    check ((left_out is null) = (sha256 is not null)),
    check (content is null or (left_out is null and octet_length(content) = bytes)),
    check ((session_id is null) = (prompt_key is null)),
    check (delivery_id is not null or left_out is null)
  )`,
  // Most are packed already.
  `alter table channel_files alter column content set storage external`,
  `create index channel_files_prompt on channel_files (session_id, prompt_key) where session_id is not null`,
  `create index channel_files_content on channel_files (created_at) where content is not null`,
  `create index channel_files_age on channel_files (created_at)`,
  `create index channel_files_channel on channel_files (channel_id)`,
]
