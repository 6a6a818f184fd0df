import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startApi } from '@svc/api'
import { startChannelWorker } from '@svc/channel-worker'
import { openChannelPlatforms } from '../../packages/channels/src/index.ts'
import { ensureFirstAccount } from '@svc/identity'
import { openPlatform, platformEnv } from '@svc/platform'
import { z } from 'zod'
import { benchLog } from '../serve-api.ts'

/** The API in this process or, told so, a channel-worker: as they are deployed, each by itself. */
const [what = '', folder = '', database_url = '', master_key = randomBytes(32).toString('hex')] =
  process.argv.slice(2)
const env = z.object(platformEnv).parse({
  DATABASE_URL: database_url,
  SVC_PUBLIC_URL: 'http://127.0.0.1',
  SVC_REPOSITORIES_DIR: join(folder, 'managed'),
  SVC_MIRRORS_DIR: join(folder, 'mirrors'),
  SVC_MASTER_KEY: master_key,
  SVC_INTERNAL_PORT: '0',
})
const SVC_OUTBOUND_ADDRESSES = ['127.0.0.0/8']
const platform = await openPlatform(env, benchLog)

async function serve() {
  const channels = openChannelPlatforms(SVC_OUTBOUND_ADDRESSES)
  const api = await startApi(
    {
      ...{ ...platform.ctx, version: '0', commit: 'bench', public_docs: false },
      channel_platforms: channels.platforms,
    },
    { host: '127.0.0.1', port: 0 },
  )
  const { token } = await ensureFirstAccount(platform.ctx, null)
  process.send?.({ origin: `http://127.0.0.1:${api.port}`, token })
  return async () => {
    await api.close()
    await channels.close()
  }
}

function work() {
  const worker = startChannelWorker(platform, {
    ...{ SVC_EVENTS_DAYS: 30, SVC_EVENTS_RETRY_SECONDS: [5], SVC_EVENTS_DISABLE_AFTER: 5 },
    ...{ SVC_EVENTS_CONCURRENCY: 16, SVC_CHANNEL_CONCURRENCY: 16, SVC_OUTBOUND_ADDRESSES },
    ...{ SVC_MAIL_FROM: 'svc <noreply@svc.invalid>', SVC_NOTIFICATIONS_DAYS: 90 },
    ...{ SVC_DIGEST_AFTER_SECONDS: 900, SVC_DIGEST_EVERY_SECONDS: 3600 },
  })
  process.send?.({})
  return () => worker.close()
}

const close = what === 'api' ? await serve() : work()
await new Promise((resolve) => {
  for (const sign of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(sign, resolve)
})
await close()
await platform.close()
process.exit(0)
