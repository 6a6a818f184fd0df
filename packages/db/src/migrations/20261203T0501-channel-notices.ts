/** Tells, as `change-notices` does, what pages of channels show: by ids alone. */
const watched = (table: string, id: string, when: string) => [
  `create trigger ${table}_shown after insert on ${table} for each row execute function tell_change('channel', '${id}')`,
  `create trigger ${table}_reshown after update on ${table} for each row when (${when})
    execute function tell_change('channel', '${id}')`,
]

export const statements: readonly string[] = [
  ...watched(
    'project_channels',
    'channel_id',
    `old.status is distinct from new.status or old.last_error is distinct from new.last_error or old.name is distinct from new.name
      or old.agent is distinct from new.agent or old.policy is distinct from new.policy
      or old.thread_replies is distinct from new.thread_replies or old.conversations is distinct from new.conversations
      or old.identity is distinct from new.identity`,
  ),
  ...watched('channel_threads', 'channel_id', 'old.session_id is distinct from new.session_id'),
  ...watched('channel_deliveries', 'channel_id', 'old.verdict is distinct from new.verdict'),
  ...watched('channel_messages', 'channel_id', 'old.state is distinct from new.state'),
]
