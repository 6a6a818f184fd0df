import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmptyDatabase, emptyDatabase, testDatabase } from '@svc/db/testing'
import { readBootstrap } from '@svc/identity'
import { type Client, createClient } from '@svc/sdk'
import { builtEntry } from '../platform/apps.ts'
import { makeRoot, startDeployment } from '../platform/deployment.ts'
import { makeBegunPlace, startOn } from '../platform/platform.ts'
import { killAll } from '../platform/processes.ts'
import { startRedis } from '../platform/redis.ts'
import { output } from '../platform/run.ts'

/** A deployment in one of its forms, from its beginning to the one that is restored in its place. */
export interface DrilledForm {
  readonly root: string
  readonly client: Client
  readonly token: string
  /** As an operator takes it while everything runs: its path. */
  backUp(): Promise<string>
  /** Kills everything at once and removes all but the backups and the keys. */
  lose(): Promise<void>
  /** Restores, and starts what was restored. */
  restore(backup: string): Promise<{ readonly client: Client; readonly origin: string }>
  close(): Promise<void>
}

const done = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> =>
  output(process.execPath, args, { env: { ...env, NO_COLOR: '1' } })

const nameIn = (printed: string): string => JSON.parse(printed).name

/** `npm start`, with the database in it. */
export async function embeddedForm(): Promise<DrilledForm> {
  const [place, kept] = [await makeBegunPlace(), await mkdtemp(join(tmpdir(), 'svc-kept-'))]
  let platform = await startOn(place)
  const { SVC_INTERNAL_PORT: _, ...env } = place.env
  const selfHost = (...args: readonly string[]) => done([builtEntry('cli'), 'self-host', ...args], env)
  return {
    root: place.root,
    client: platform.client,
    token: platform.token,
    backUp: async () => join(kept, nameIn(await selfHost('backup', '--to', kept, '--json'))),
    async lose() {
      for (const key of ['master.key', 'gateway.key']) await cp(join(place.data_dir, key), join(kept, key))
      await platform.kill()
      await killAll(place.markers)
      await rm(place.data_dir, { recursive: true })
      await rm(place.config_file)
    },
    async restore(backup) {
      const keys = ['master', 'gateway'].flatMap((key) => [`--${key}-key-file`, join(kept, `${key}.key`)])
      await selfHost('restore', '--from', backup, ...keys)
      platform = await startOn(place)
      return platform
    },
    async close() {
      await platform.stop()
      await place.remove()
      await rm(kept, { recursive: true })
    },
  }
}

/** Every service in a process of its own. */
export async function separateForm(): Promise<DrilledForm> {
  const kept = await mkdtemp(join(tmpdir(), 'svc-kept-'))
  const redis = await startRedis()
  const api = builtEntry('api')
  let database: EmptyDatabase = await testDatabase()
  const url = database.connection_string
  let deployment = await startDeployment({ database: () => url, redis: redis.url })
  const token = (await readBootstrap(join(deployment.root, 'bootstrap.json')))?.token ?? ''
  const clientOf = (origin: string) => createClient({ api_url: `${origin}/v1`, token })
  const { env } = deployment.service('api')
  return {
    root: deployment.root,
    client: clientOf(deployment.origin),
    token,
    backUp: async () => join(kept, nameIn(await done([api, 'backup', '--to', kept, '--json'], env))),
    async lose() {
      await deployment.lose()
      await database.close()
      await redis.flush()
    },
    async restore(backup) {
      database = await emptyDatabase()
      const [DATABASE_URL, root] = [database.connection_string, await makeRoot()]
      const folders = {
        SVC_REPOSITORIES_DIR: join(root, 'repositories'),
        SVC_MIRRORS_DIR: join(root, 'mirrors'),
      }
      await done([api, 'restore', '--from', backup], { ...env, ...folders, DATABASE_URL })
      const { SVC_MASTER_KEY: master_key = '' } = env
      deployment = await startDeployment({ database: () => DATABASE_URL, redis: redis.url, master_key }, root)
      const { origin } = deployment
      return { client: clientOf(origin), origin }
    },
    async close() {
      await deployment.stop()
      await redis.close()
      await database.close()
      await rm(kept, { recursive: true })
    },
  }
}
