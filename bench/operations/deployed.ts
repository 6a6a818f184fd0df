import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '@svc/boot'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { migrateSchema } from '@svc/platform'
import { createClient } from '@svc/sdk'
import { z } from 'zod'
import { type Deployment, startDeployment } from '../../apps/standalone/tests/support/platform/deployment.ts'
import { startRedis } from '../../apps/standalone/tests/support/platform/redis.ts'
import { startLoad } from '../../apps/standalone/tests/support/upgrade/load.ts'
import { endSandboxes } from '../../apps/standalone/tests/support/platform/settle.ts'
import { loadedProject } from '../../apps/standalone/tests/support/upgrade/loaded-project.ts'

/** Every service as it is built, each in a process of its own, on a PostgreSQL and a Redis of their own. */
export interface Deployed {
  readonly deployment: Deployment
  readonly database_url: string
  /** Agents that work and merge, pushes, webhooks, schedules and visitors for so long, and so many more reads at once. */
  load(seconds: number, reads_at_once: number): Promise<void>
  close(): Promise<void>
}

const Bootstrap = z.object({ token: z.string() })
const log = createLogger({ name: 'bench', level: 'error' })

export async function openDeployed(): Promise<Deployed> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-deployed-'))
  const settings = { max_connections: '300' }
  const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log, settings })
  const redis = await startRedis()
  const database_url = postgres.connection_string
  await migrateSchema({ DATABASE_URL: database_url })
  const deployment = await startDeployment({ database: () => database_url, redis: redis.url })
  const { origin, root } = deployment
  const end: (() => Promise<void>)[] = []
  return {
    deployment,
    database_url,
    async load(seconds, reads_at_once) {
      const { token } = Bootstrap.parse(JSON.parse(await readFile(join(root, 'bootstrap.json'), 'utf8')))
      const client = createClient({ api_url: `${origin}/v1`, token })
      const loaded = await loadedProject(client, token, root)
      end.push(() => endSandboxes(loaded, origin))
      const { project_id } = loaded.project
      const load = startLoad(loaded, () => '')
      const over = new AbortController()
      const reader = async () => {
        while (!over.signal.aborted) await client.projects.sessions.list(project_id, { limit: 50 })
      }
      const readers = Promise.all(Array.from({ length: reads_at_once }, reader))
      await sleep(seconds * 1_000)
      over.abort()
      await readers
      const { wrong } = await load.stop()
      for (const line of wrong) process.stderr.write(`${line}\n`)
    },
    async close() {
      for (const one of end) await one()
      await deployment.stop()
      await redis.close()
      await postgres.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
