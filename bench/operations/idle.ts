import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { runBench } from '../report.ts'
import { openPlace } from './place.ts'
import { rateOf } from './rate.ts'

const Processes = z.array(z.object({ connections: z.number() }))

/** Memory of the API and its connections to PostgreSQL: idle, in a burst, after it, and as many as it may open. */
await runBench('operations/idle', async ({ quick }) => {
  const place = await openPlace()
  const url = await place.database('idle')
  const observer = new pg.Client({ connectionString: url, application_name: 'observer' })
  await observer.connect()
  const look = async (pid: number | undefined) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const { rows } = await observer.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name <> 'observer'`,
    )
    const rss_mb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
    return { rss_mb, connections: rows[0]?.n ?? 0 }
  }
  try {
    const { client, child } = await place.api('api', url)
    const { project_id } = await client.projects.provision({ name: 'idle' })
    await sleep(quick ? 5_000 : 60_000)
    const idle = await look(child.pid)
    const burst = { rss_mb: 0, connections: 0 }
    const watching = setInterval(
      () =>
        void look(child.pid).then(({ rss_mb, connections }) => {
          burst.rss_mb = Math.max(burst.rss_mb, rss_mb)
          burst.connections = Math.max(burst.connections, connections)
        }),
      250,
    )
    await rateOf(quick ? 5 : 3_600, 64, async () => client.projects.sessions.list(project_id, { limit: 50 }))
    clearInterval(watching)
    await sleep(quick ? 1_000 : 60_000)
    const after = await look(child.pid)
    const { rows } = await observer.query('select connections from processes')
    const ceiling = Processes.parse(rows).reduce((sum, { connections }) => sum + connections, 0)
    const measured = `${idle.rss_mb} MB idle, ${burst.rss_mb} in a burst, ${after.rss_mb} after it; ${idle.connections}, ${burst.connections} and ${after.connections} connections`
    return {
      verdicts: [{ what: 'the API, 64 reads at once', promise: 'a figure', measured, held: true }],
      figures: { idle, burst, after, ceiling },
    }
  } finally {
    await observer.end()
    await place.close()
  }
})
