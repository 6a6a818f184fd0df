import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { runBench } from '../report.ts'
import { openDeployed } from './deployed.ts'

type Counts = Readonly<Record<string, number>>

/** Each connection is named by its service and the process. */
const open = `select substring(application_name from '^svc-([a-z-]+)/') as service, count(*)::int as n from pg_stat_activity
  where application_name like 'svc-%' group by 1 order by 1`
const mayOpen = `select service, sum(connections)::int as n from processes group by 1 order by 1`

/** Connections of each service to PostgreSQL: idle, in a burst, and as many as its processes may open. */
await runBench('operations/connections', async ({ quick }) => {
  const deployed = await openDeployed()
  const observer = new pg.Client({ connectionString: deployed.database_url })
  await observer.connect()
  const count = async (statement: string): Promise<Counts> => {
    const { rows } = await observer.query<{ service: string; n: number }>(statement)
    return Object.fromEntries(rows.map(({ service, n }) => [service, n]))
  }
  try {
    await sleep(quick ? 15_000 : 120_000)
    const idle = await count(open)
    const burst: Record<string, number> = {}
    const look = async () => {
      for (const [service, n] of Object.entries(await count(open)))
        burst[service] = Math.max(burst[service] ?? 0, n)
    }
    const over = new AbortController()
    const watching = (async () => {
      while (!over.signal.aborted) {
        await look()
        await sleep(250)
      }
    })()
    await deployed.load(quick ? 20 : 300, 64)
    over.abort()
    await watching
    const ceiling = await count(mayOpen)
    const verdicts = Object.entries(ceiling).map(([service, most]) => ({
      what: `connections of ${service}`,
      promise: 'never more than its processes say',
      measured: `${idle[service] ?? 0} idle, ${burst[service] ?? 0} in a burst, ${most} at most`,
      held: (burst[service] ?? 0) <= most,
    }))
    return { verdicts, figures: { idle, burst, ceiling } }
  } finally {
    await observer.end()
    await deployed.close()
  }
})
