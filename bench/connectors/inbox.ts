import { countInbox } from '@svc/services'
import pg from 'pg'
import { z } from 'zod'
import { timed } from '../measure.ts'
import { type Times, timesOf } from './figures.ts'
import type { Place } from './place.ts'

export interface InboxFigures {
  readonly rows: number
  readonly open: number
  /** `GET /v1/inbox/count` over a connection that stays open. */
  readonly route: Times
  /** The verb alone, in the process that measures. */
  readonly verb: Times
  /** `select 1` over one connection. */
  readonly select_one: Times
}

const rows = 100_000
const open = 1_000
const Count = z.object({ total: z.number() })

/** The number of what waits for a person, among rows of which few are open; the three take turns. */
export async function measureInbox(place: Place, counts: number): Promise<InboxFigures> {
  const { user_id, db } = place
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  try {
    await seed(client, place)
    await place.gatherStatistics()
    const ctx = {
      db,
      now: () => new Date(),
      principal: { type: 'user', user_id, token_id: user_id } as const,
    }
    const ways = {
      route: async () => {
        const { total } = Count.parse((await place.person('GET', '/inbox/count')).body)
        if (total !== open) throw new Error(`${total} of ${open} items are counted`)
      },
      verb: () => countInbox(ctx),
      select_one: () => client.query('select 1'),
    }
    const names = ['route', 'verb', 'select_one'] as const
    const times = { route: new Array<number>(), verb: new Array<number>(), select_one: new Array<number>() }
    for (let n = -50; n < counts; n += 1)
      for (const name of n % 2 === 0 ? names : names.toReversed()) {
        const ms = await timed(ways[name])
        if (n >= 0) times[name].push(ms)
      }
    return {
      ...{ rows, open },
      route: timesOf(times.route),
      verb: timesOf(times.verb),
      select_one: timesOf(times.select_one),
    }
  } finally {
    await client.end()
  }
}

/** Half of them are calls that a person decided on, or decides on, and half are reviews. */
async function seed(client: pg.Client, { project_id, session_id, user_id }: Place): Promise<void> {
  const [half, waiting] = [rows / 2, open / 2]
  await client.query(`delete from connector_approvals where project_id = $1 and status = 'pending'`, [
    project_id,
  ])
  await client.query(
    `with made as (
       insert into connector_calls (call_id, project_id, session_id, slug, action, provider, actor, actor_id, door, risk,
         request_digest, status, sealed_request, ended_at, created_at, updated_at)
       select gen_random_uuid(), $1, $2, 'few', 'create_issue', 'mcp', $5, $2, 'executor', 'write', 'digest ' || n,
         case when n <= $4::int then 'awaiting_approval' else 'rejected' end, 'sealed',
         case when n <= $4::int then null else at end, at, at
       from generate_series(1, $3::int) n, lateral (select now() - n * interval '1 second' as at where n > 0) t
       returning call_id, project_id, status, request_digest, created_at)
     insert into connector_approvals (call_id, project_id, status, digest, expires_at, second_person, decided_by, decision,
       decided_at, created_at)
     select call_id, project_id, case when status = 'rejected' then 'denied' else 'pending' end, request_digest,
       now() + interval '1 day', false,
       case when status = 'rejected' then $6::uuid end, case when status = 'rejected' then 'deny' end,
       case when status = 'rejected' then created_at end, created_at
     from made`,
    [project_id, session_id, half, waiting, JSON.stringify({ type: 'session', user_id }), user_id],
  )
  await client.query(
    `insert into review_items (review_id, project_id, session_id, kind, title, summary, risk, files, options, status, version,
       verdict_by, decided_at, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, $2, 'output', 'Look at the draft ' || n, repeat('What was done and why. ', 20), 'low',
       '[]', '[]', case when n <= $4::int then 'needs_you' else 'approved' end, 1,
       case when n <= $4::int then null else $5::uuid end, case when n <= $4::int then null else at end, $5, at, at
     from generate_series(1, $3::int) n, lateral (select now() - n * interval '1 second' as at where n > 0) t`,
    [project_id, session_id, half, waiting, user_id],
  )
}
