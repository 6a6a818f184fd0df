import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startApi } from '@svc/api'
import { createLogger } from '@svc/boot'
import { ensureFirstAccount, openPlatform, platformEnv } from '@svc/services'
import { z } from 'zod'

/** The API as it is deployed, alone. */
const [folder = '', database_url = ''] = process.argv.slice(2)
const log = createLogger({ name: 'bench', level: 'error' })
const env = z.object(platformEnv).parse({
  DATABASE_URL: database_url,
  SVC_PUBLIC_URL: 'http://127.0.0.1',
  SVC_REPOSITORIES_DIR: join(folder, 'managed'),
  SVC_MIRRORS_DIR: join(folder, 'mirrors'),
  SVC_MASTER_KEY: randomBytes(32).toString('hex'),
  SVC_INTERNAL_PORT: '0',
})
const platform = await openPlatform(env, log)
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
  process.exit(0)
}
