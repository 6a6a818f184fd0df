import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startApi } from '@svc/api'
import { ensureFirstAccount } from '@svc/identity'
import { startMergeWorker } from '@svc/merge-worker'
import { openPlatform } from '@svc/platform'
import { executorSettings, startExecutor } from '../../apps/executor/src/index.ts'
import { benchLog } from '../serve-api.ts'

/** The API and the executor in one process, as `npm start` has them, and who commits to manifests. No sandboxes. */
const [folder = '', database_url = ''] = process.argv.slice(2)
const env = executorSettings.parse({
  DATABASE_URL: database_url,
  SVC_PUBLIC_URL: 'http://127.0.0.1',
  SVC_REPOSITORIES_DIR: join(folder, 'managed'),
  SVC_MIRRORS_DIR: join(folder, 'mirrors'),
  SVC_MASTER_KEY: randomBytes(32).toString('hex'),
  SVC_INTERNAL_PORT: '0',
  SVC_OUTBOUND_ADDRESSES: '127.0.0.0/8',
})
const platform = await openPlatform(env, benchLog)
const worker = startMergeWorker(platform, { concurrency: 1 })
const running = startExecutor(platform, env)
const api = await startApi(
  { ...platform.ctx, version: '0', commit: 'bench', public_docs: false, executor: running.executor },
  { host: '127.0.0.1', port: 0 },
)
const { token } = await ensureFirstAccount(platform.ctx, null)
process.send?.({ origin: `http://127.0.0.1:${api.port}`, token })
await new Promise((resolve) => {
  for (const sign of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(sign, resolve)
})
await api.close()
await running.close()
await worker.close()
await platform.close()
process.exit(0)
