import pg from 'pg'

/**
 * The least that a call costs whose row is on the disk before it is sent and after it is answered: two commits around the
 * same tool of the same server, on as many connections as there are calls at a time, and nothing else.
 */
export async function openFloor(url: string, call: () => Promise<void>) {
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  await pool.query(`create table bench_floor (n bigint generated always as identity primary key, sent_at timestamptz,
    ended_at timestamptz, result text)`)
  const result = 'x'.repeat(1_000)
  return {
    call: async () => {
      const { rows } = await pool.query({
        name: 'sent',
        text: 'insert into bench_floor (sent_at) values (now()) returning n',
      })
      await call()
      await pool.query({
        name: 'ended',
        text: 'update bench_floor set ended_at = now(), result = $2 where n = $1',
        values: [Object(rows[0]).n, result],
      })
    },
    close: () => pool.end(),
  }
}
