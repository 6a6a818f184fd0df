import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@svc/boot'
import { startChannelWorker } from '@svc/channel-worker'
import { migrate, platformEvents } from '@svc/db'
import { migrateQueue } from '@svc/queue'
import { createSubscription } from '@svc/events'
import { openPlatform, platformEnv } from '@svc/platform'
import { z } from 'zod'

export interface Scene {
  readonly receiver: string
  readonly secret: string
  /** Begins a channel-worker; the answer ends it. */
  work(): () => Promise<void>
  /** Writes one event, as a change would; its id once it is committed. */
  happen(): Promise<string>
  /** Ids that arrived since it was asked last, each with the time of this machine. */
  arrived(): Promise<ReadonlyMap<string, number>>
  close(): Promise<void>
}

/** A platform with one subscription at a receiver in a process of its own; channel-workers run in this one. */
export async function openScene(url: string, folder: string): Promise<Scene> {
  await migrate(url)
  await migrateQueue(url)
  const env = z.object(platformEnv).parse({
    DATABASE_URL: url,
    SVC_PUBLIC_URL: 'http://127.0.0.1',
    SVC_REPOSITORIES_DIR: join(folder, 'managed'),
    SVC_MIRRORS_DIR: join(folder, 'mirrors'),
    SVC_MASTER_KEY: '0'.repeat(64),
    SVC_INTERNAL_PORT: '0',
    SVC_OUTBOUND_ADDRESSES: '127.0.0.0/8',
  })
  const platform = await openPlatform(env, createLogger({ name: 'bench', level: 'error' }))
  const { db, newId, now } = platform.ctx
  const [account_id, user_id] = [newId(), newId()]
  await db
    .insertInto('accounts')
    .values({ account_id, name: 'Bench', tier: 'self_host', created_at: now() })
    .execute()
  await db
    .insertInto('users')
    .values({ user_id, email: 'bench@svc.invalid', name: 'Bench', created_at: now() })
    .execute()
  await db
    .insertInto('account_members')
    .values({ account_id, user_id, role: 'owner', created_at: now() })
    .execute()
  const child = startReceiver()
  const receiver = `http://127.0.0.1:${await portOf(child)}`
  const { secret } = await createSubscription(
    {
      ...platform.ctx,
      principal: { type: 'user', user_id, token_id: newId() },
      signal: new AbortController().signal,
    },
    { account_id, url: `${receiver}/hook`, types: ['*'] },
  )
  const work = () =>
    startChannelWorker(platform, {
      SVC_EVENTS_DAYS: 30,
      SVC_EVENTS_RETRY_SECONDS: [5],
      SVC_EVENTS_DISABLE_AFTER: 5,
      SVC_EVENTS_CONCURRENCY: 16,
      SVC_CHANNEL_CONCURRENCY: 16,
      SVC_OUTBOUND_ADDRESSES: env.SVC_OUTBOUND_ADDRESSES,
      SVC_MAIL_FROM: 'svc <noreply@svc.invalid>',
      SVC_NOTIFICATIONS_DAYS: 90,
      SVC_DIGEST_AFTER_SECONDS: 900,
      SVC_DIGEST_EVERY_SECONDS: 3600,
    })
  const data = { slug: 'bench', type: null, fire_id: null, session_id: null, reason: null }
  return {
    work: () => {
      const worker = work()
      return () => worker.close()
    },
    receiver: `${receiver}/hook`,
    secret,
    happen: () => platformEvents.record(db, { account_id, project_id: null, type: 'trigger.fired', data }),
    arrived: async () => new Map<string, number>(Object(await (await fetch(receiver)).json())),
    close: async () => {
      child.kill('SIGTERM')
      await platform.close()
    },
  }
}

function startReceiver(): ChildProcess {
  const entry = fileURLToPath(new URL('receiver.ts', import.meta.url))
  return spawn(process.execPath, ['--import', import.meta.resolve('tsx'), entry], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('The receiver has no output')
  const [line] = await once(child.stdout, 'data')
  return Number(String(line).trim())
}
