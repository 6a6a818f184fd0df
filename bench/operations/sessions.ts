import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { runBench } from '../report.ts'
import { openPlace } from './place.ts'
import { rateOf } from './rate.ts'

const at_once = 16

/** Sessions that are created in a second, to their 201, beside rows of the same size that are inserted into a bare table. */
await runBench('operations/sessions', async ({ quick }) => {
  const seconds = quick ? 5 : 30
  const place = await openPlace()
  const url = await place.database('sessions')
  const pool = new pg.Pool({ connectionString: url, max: at_once })
  try {
    const { client } = await place.api('api', url)
    const { project_id } = await client.projects.provision({ name: 'sessions' })
    const row = JSON.stringify(await client.projects.sessions.create(project_id, {}))
    const created = await rateOf(seconds, at_once, () => client.projects.sessions.create(project_id, {}))
    await pool.query('create table bare (id uuid primary key, at timestamptz default now(), body jsonb)')
    const insert = () => pool.query('insert into bare (id, body) values ($1, $2)', [randomUUID(), row])
    const inserted = await rateOf(seconds, at_once, insert)
    const measured = `${created}/s beside ${inserted} bare inserts/s`
    return {
      verdicts: [{ what: `creates, ${at_once} at once`, promise: 'a figure', measured, held: true }],
      figures: { created, inserted, at_once, seconds },
    }
  } finally {
    await pool.end()
    await place.close()
  }
})
