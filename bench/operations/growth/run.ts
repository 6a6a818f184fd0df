import { createDatabase, type Db } from '@svc/db'
import { sweepsAt } from '../../../packages/db/tests/support/sweeps.ts'
import { fillHistory } from '../../../packages/db/tests/support/history.ts'
import { compare, type Comparison, timed } from '../../measure.ts'
import { openPlace, type Place, type ServedApi } from '../place.ts'
import { runBench, type Verdict } from '../../report.ts'
import { sealEvents } from './sealed.ts'

interface Case extends ServedApi {
  readonly db: Db
  readonly project_id: string
}

const live = 1_000
/** Of what lives, as much as a busy moment has. */
const owing = 20
/** An account of nothing else, whose project is the one that is listed. */
const account_id = '00000000-0000-4000-8000-00000000000a'

const list = async ({ client, project_id }: Case) => client.projects.sessions.list(project_id, { limit: 50 })
const create = ({ client, project_id }: Case) => client.projects.sessions.create(project_id, {})

await runBench('operations/growth', async ({ quick }) => {
  const ever = quick ? 50_000 : 1_000_000
  const turns = quick ? 10 : 40
  const place = await openPlace()
  try {
    const few = await openCase(place, 'few', 0)
    const many = await openCase(place, 'many', ever - live)
    const events = await place.fill(() => sealEvents(many.database_url, Math.round((ever - live) * 0.8)))
    const figures: Record<string, Comparison> = {}
    for (const [what, sweep] of sweepsAt(new Date(Date.now() - 3_600_000)))
      figures[what] = await compare(
        turns,
        () => undone(many.db, sweep),
        () => undone(few.db, sweep),
      )
    figures['a page of 50 sessions'] = await compare(
      turns,
      () => list(many),
      () => list(few),
    )
    figures['a create'] = await compare(
      turns,
      () => create(many),
      () => create(few),
    )
    await Promise.all([few.db.destroy(), many.db.destroy()])
    return { verdicts: verdictsOf(figures, ever), figures: { ever, live, events, ...figures } }
  } finally {
    await place.close()
  }
})

async function openCase(place: Place, name: string, dead: number): Promise<Case & { database_url: string }> {
  const database_url = await place.database(name)
  const api = await place.api(name, database_url)
  const { project_id } = await api.client.projects.provision({ name })
  const db = createDatabase(database_url, { max: 2 })
  const ms = await place.fill(() =>
    timed(() => fillHistory(db, { dead, live, owing, project_id, account_id })),
  )
  process.stderr.write(`${dead + live} sessions were written in ${Math.round(ms / 1_000)} s\n`)
  return { ...api, database_url, db, project_id }
}

/** The time of a sweep alone is not that of the transaction that takes back all that it wrote. */
async function undone(db: Db, sweep: (db: Db) => Promise<unknown>): Promise<void> {
  const nothing = new Error('Nothing of it stays')
  await db
    .transaction()
    .execute(async (tx) => {
      await sweep(tx)
      throw nothing
    })
    .catch((error: unknown) => {
      if (error !== nothing) throw error
    })
}

function verdictsOf(figures: Readonly<Record<string, Comparison>>, ever: number): Verdict[] {
  const all = Object.entries(figures)
  const verdict = ([what, { ours, peer, ratio }]: (typeof all)[number], most: number, most_ms: number) => ({
    what: `${what}, ${ever} sessions ever beside ${live}`,
    promise: `at most ${most}x${most_ms === Infinity ? '' : `, p50 at most ${most_ms} ms`}`,
    measured: `${ours.p50_ms} ms beside ${peer.p50_ms} ms: ${ratio}x`,
    held: ratio <= most && ours.p50_ms <= most_ms,
  })
  return [
    ...all.slice(0, -2).map((one) => verdict(one, 2, 5)),
    ...all.slice(-2).map((one) => verdict(one, 1.3, Infinity)),
  ]
}
