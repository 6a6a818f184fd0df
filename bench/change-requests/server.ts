import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startApi } from '@svc/api'
import { createLogger } from '@svc/boot'
import { migrate } from '@svc/db'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { startMergeWorker } from '@svc/merge-worker'
import { ensureFirstAccount, openPlatform, platformEnv } from '@svc/services'
import { z } from 'zod'

/** The platform as `npm start` runs it, as far as change requests need it: database, API and merge-worker. */
const log = createLogger({ name: 'bench', level: 'error' })
const folder = process.argv[2] ?? ''
const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log })
await migrate(postgres.connection_string)
const env = z.object(platformEnv).parse({
  DATABASE_URL: postgres.connection_string,
  SVC_PUBLIC_URL: 'http://127.0.0.1',
  SVC_REPOSITORIES_DIR: join(folder, 'managed'),
  SVC_MIRRORS_DIR: join(folder, 'mirrors'),
  SVC_MASTER_KEY: randomBytes(32).toString('hex'),
  SVC_INTERNAL_PORT: '0',
})
const platform = await openPlatform(env, log)
startMergeWorker(platform, { concurrency: 4 })
const api = await startApi(
  { ...platform.ctx, version: '0', commit: 'bench', public_docs: false },
  { host: '127.0.0.1', port: 0 },
)
const { token } = await ensureFirstAccount(platform.ctx, null)
process.send?.({ origin: `http://127.0.0.1:${api.port}`, token })
let closing = false
for (const end of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(end, () => void close())

async function close(): Promise<void> {
  if (closing) return
  closing = true
  await api.close()
  await platform.close()
  await postgres.close()
  process.exit(0)
}
