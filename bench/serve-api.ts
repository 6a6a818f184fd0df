import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type ApiParts, startApi } from '@svc/api'
import { createLogger, type Tracing } from '@svc/boot'
import { ensureFirstAccount } from '@svc/identity'
import { startMergeWorker } from '@svc/merge-worker'
import { openPlatform, type Platform, platformEnv } from '@svc/platform'
import { z } from 'zod'

export interface ServedApi {
  readonly folder: string
  readonly database_url: string
  /** Merges at a time; without it nobody merges. */
  readonly merges?: number
  readonly tracing?: Tracing | undefined
  /** Runs in the same process, and is what the API asks. */
  readonly beside?: (platform: Platform) => {
    readonly parts: Pick<ApiParts, 'executor'>
    readonly close: () => Promise<void>
  }
  /** Makes all else that is to be there before the bench begins; its answer goes to the bench. */
  readonly prepare?: (platform: Platform, api: { origin: string; token: string }) => Promise<object>
  /** Things that have to end after it. */
  readonly close?: () => Promise<void>
}

export const benchLog = createLogger({ name: 'bench', level: 'error' })

/** The API as it is deployed, until the process that started this one has enough of it. No scheduler, no sandboxes. */
export async function serveApi({
  folder,
  database_url,
  merges,
  tracing,
  beside,
  prepare,
  close,
}: ServedApi): Promise<void> {
  const env = z.object(platformEnv).parse({
    DATABASE_URL: database_url,
    SVC_PUBLIC_URL: 'http://127.0.0.1',
    SVC_REPOSITORIES_DIR: join(folder, 'managed'),
    SVC_MIRRORS_DIR: join(folder, 'mirrors'),
    SVC_MASTER_KEY: randomBytes(32).toString('hex'),
    SVC_INTERNAL_PORT: '0',
  })
  const platform = await openPlatform(env, benchLog, { tracing })
  const worker = merges === undefined ? null : startMergeWorker(platform, { concurrency: merges })
  const other = beside?.(platform)
  const api = await startApi(
    { ...platform.ctx, version: '0', commit: 'bench', public_docs: false, ...other?.parts },
    { host: '127.0.0.1', port: 0 },
  )
  const { token } = await ensureFirstAccount(platform.ctx, null)
  const served = { origin: `http://127.0.0.1:${api.port}`, token }
  process.send?.({ ...served, ...(await prepare?.(platform, served)) })
  await new Promise((resolve) => {
    for (const sign of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(sign, resolve)
  })
  await api.close()
  await other?.close()
  await worker?.close()
  await platform.close()
  await close?.()
  process.exit(0)
}
