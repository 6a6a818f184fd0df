import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { type Times, timesOf } from './figures.ts'
import type { Place } from './place.ts'

export interface DecisionFigures {
  /** From the moment that a person sends a decision to the arrival of the call at its service. */
  readonly to_upstream: Times
  /** From that moment to the answer to the person. */
  readonly to_answer: Times
  readonly results: number
  /** Results whose message to the agent was written by another transaction. */
  readonly apart: number
}

const Frozen = z.object({ status: z.literal('pending'), call_id: z.uuid(), digest: z.string() })
const Counted = z.object({ results: z.coerce.number(), apart: z.coerce.number() })

/** Calls that wait for a person, approved one after the other at no fixed pace. */
export async function measureDecisions(place: Place, decisions: number): Promise<DecisionFigures> {
  const { project_id } = place
  const to_upstream: number[] = []
  const to_answer: number[] = []
  // The first ones warm up.
  for (let n = -10; n < decisions; n += 1) {
    const tag = `write ${n}`
    const { body } = await place.agent('POST', `/projects/${project_id}/connector-calls`, {
      ...{ connector: 'few', action: 'create_issue', args: { tag, title: 'Broken' }, wait_seconds: 0 },
    })
    const { call_id, digest } = Frozen.parse(body)
    const arrived = place.arrived(tag)
    // The pace is none of the queue's.
    await sleep(Math.random() * 100)
    const sent_at = Date.now()
    const answer = await place.person('POST', `/projects/${project_id}/approvals/${call_id}/decide`, {
      ...{ decision: 'approve', digest },
    })
    const answered_at = Date.now()
    if (answer.status !== 200) throw new Error(`A decision was refused: ${JSON.stringify(answer.body)}`)
    const at = await arrived
    if (n < 0) continue
    to_upstream.push(at - sent_at)
    to_answer.push(answered_at - sent_at)
  }
  return {
    ...{ to_upstream: timesOf(to_upstream), to_answer: timesOf(to_answer) },
    ...(await countApart(place.url, decisions + 10)),
  }
}

/** The transaction that wrote a row last stands in the row: nothing that runs here changes either of them later. */
async function countApart(url: string, awaited: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (;;) {
      const { rows } = await client.query(
        `select count(*) as results, count(*) filter (where c.xmin::text <> p.xmin::text) as apart
         from connector_calls c join session_prompts p on p.dedupe_key = 'connector-call:' || c.call_id
         where c.status = 'succeeded'`,
      )
      const counted = Counted.parse(rows[0])
      if (counted.results === awaited) return counted
      await sleep(50)
    }
  } finally {
    await client.end()
  }
}
