import { randomBytes, randomUUID } from 'node:crypto'
import { formatToken } from '@svc/access'
import { tokenHash } from '@svc/context'
import pg from 'pg'
import { round } from '../measure.ts'
import { runBench } from '../report.ts'
import { openPlace, type ServedApi } from './place.ts'
import { rateOf } from './rate.ts'

const at_once = 16
/** A report of a busy moment; a daemon puts up to 500 in one. */
const batch = 50

/** Events of sessions that are stored in a second as daemons report them, beside the same rows that one statement inserts. */
await runBench('operations/events', async ({ quick }) => {
  const seconds = quick ? 3 : 15
  const place = await openPlace()
  const url = await place.database('events')
  const pool = new pg.Pool({ connectionString: url, max: at_once })
  try {
    const api = await place.api('api', url)
    const { project_id } = await api.client.projects.provision({ name: 'events' })
    const daemons = await Promise.all(
      Array.from({ length: at_once }, () => openDaemon(api, pool, project_id)),
    )
    await pool.query('create table bare (like session_events including all)')
    const rates = { ours: new Array<number>(), bare: new Array<number>() }
    for (let turn = 0; turn < (quick ? 2 : 5); turn += 1) {
      const stored = await rateOf(seconds, at_once, async (index) => daemons[index % at_once]?.report())
      const inserted = await rateOf(seconds, at_once, () => insertBare(pool))
      rates.ours.push(stored * batch)
      rates.bare.push(inserted * batch)
    }
    const [ours, bare] = [middle(rates.ours), middle(rates.bare)]
    const measured = `${Math.round(ours)}/s beside ${Math.round(bare)}/s: ${round(ours / bare)}x`
    const what = `events of ${at_once} sessions, ${batch} in a report`
    return {
      verdicts: [{ what, promise: 'a figure', measured, held: true }],
      figures: { at_once, batch, seconds, ours_per_second: ours, bare_per_second: bare },
    }
  } finally {
    await pool.end()
    await place.close()
  }
})

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Words of an agent, in the size that is usual. */
function newEvents() {
  return Array.from({ length: batch }, (_, index) => ({
    event_id: randomUUID(),
    type: 'message',
    at: new Date().toISOString(),
    payload: {
      message_id: randomUUID(),
      role: 'assistant',
      text: `${index} ${'x'.repeat(200)}`,
      error: null,
    },
  }))
}

/** The key of a sandbox is given to a session that has none: nobody makes sandboxes here. */
async function openDaemon({ client, origin }: ServedApi, pool: pg.Pool, project_id: string) {
  const { session_id } = await client.projects.sessions.create(project_id, {})
  const key = formatToken('svc_sbx_', randomBytes(32))
  await pool.query('update session_sandboxes set service_key_hash = $2 where session_id = $1', [
    session_id,
    tokenHash(key),
  ])
  return {
    async report(): Promise<void> {
      const answer = await fetch(`${origin}/v1/projects/${project_id}/turn-stream`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ session_id, kind: 'events', events: newEvents() }),
      })
      if (!answer.ok) throw new Error(`A report was answered with ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
    },
  }
}

async function insertBare(pool: pg.Pool): Promise<void> {
  const rows = newEvents().map((event, index) => ({ ...event, seq: index + 1 }))
  await pool.query(
    `insert into bare (session_id, seq, type, at, payload, event_id)
     select $1, log.* from jsonb_to_recordset($2::jsonb)
       as log (seq bigint, type text, at timestamptz, payload jsonb, event_id text)`,
    [randomUUID(), JSON.stringify(rows)],
  )
}
