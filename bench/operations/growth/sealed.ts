import pg from 'pg'

/** Events of a session that ended. */
const eventsEach = 25

/** The rows that sealed events leave in the database: one for a piece of each session's log, 25 events long. */
export async function sealEvents(url: string, sessions: number): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into event_archives (session_id, partition, first_seq, last_seq, object_key, "offset", length, sha256,
       has_conversation, open_events)
     select lpad(to_hex(n), 32, '0')::uuid, 'sealed', 1, $2::int, 'events/' || n / 4096, n % 4096 * 4096, 4096,
       md5(n::text), true, '[]'
     from generate_series(1, $1::int) n`,
    [sessions, eventsEach],
  )
  await client.query('vacuum analyze event_archives')
  await client.end()
  return sessions * eventsEach
}
