import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@svc/sdk'
import { inject } from 'vitest'
import { builtEntry } from './apps.ts'
import { Child } from './child.ts'
import { freePorts } from '../../../../../scripts/free-port.ts'
import { expectNoProcesses } from './processes.ts'
import { output } from './run.ts'
import { sandboxProvider } from '../sessions/sandbox-provider.ts'

/** Folders and ports of one platform; it may be started on them any number of times. */
export interface Place {
  readonly root: string
  readonly data_dir: string
  readonly config_file: string
  readonly origin: string
  readonly env: Readonly<Record<string, string>>
  /** The texts that every process of the platform carries in its command or its environment. */
  readonly markers: readonly string[]
  remove(): Promise<void>
}

export interface Platform {
  readonly place: Place
  readonly child: Child
  readonly origin: string
  readonly token: string
  readonly account_id: string
  readonly client: Client
  /** Ends it as Ctrl-C or a supervisor does, expects the exit code 0, and that nothing is left running. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<void>
  /** The power cut: no code of the platform runs any more. */
  kill(): Promise<void>
}

/** The first start of the embedded database and its schema, which the demo makes in its own place, is spared to the others. */
export async function makeBegunPlace(env: Readonly<Record<string, string>> = {}): Promise<Place> {
  const place = await makePlace(env)
  if (env.DATABASE_URL !== undefined) return place
  await mkdir(place.data_dir)
  await beginPostgres(join(place.data_dir, 'postgres'))
  return place
}

/** A folder of an embedded PostgreSQL that has the schema already. */
export async function beginPostgres(data_dir: string): Promise<void> {
  await output('cp', ['-a', inject('svc_begun_postgres'), data_dir])
}

export async function makePlace(env: Readonly<Record<string, string>> = {}): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'svc-journey-'))
  // Sandboxes run as users of their own, who have to walk through it.
  await chmod(root, 0o755)
  const data_dir = join(root, 'data')
  const config_file = join(root, 'config.json')
  await mkdir(join(root, 'home'))
  const [port = 0, internal = 0, apps = 0] = await freePorts(3)
  const origin = `http://127.0.0.1:${port}`
  return {
    root,
    data_dir,
    config_file,
    origin,
    env: {
      HOME: join(root, 'home'),
      SVC_PORT: String(port),
      SVC_INTERNAL_PORT: String(internal),
      SVC_APPS_PORT: String(apps),
      SVC_DATA_DIR: data_dir,
      SVC_CONFIG_FILE: config_file,
      SVC_SANDBOX_PROVIDER: sandboxProvider,
      SVC_LOG_LEVEL: process.env.JOURNEY_LOG_LEVEL ?? 'error',
      ...env,
    },
    markers: [root, `${origin}/v1`],
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

export async function startOn(place: Place, env: Readonly<Record<string, string>> = {}): Promise<Platform> {
  const child = new Child(process.execPath, [builtEntry('standalone')], { ...place.env, ...env })
  await child.printed('svc is ready at').catch(async (error: unknown) => {
    await child.end('SIGKILL')
    throw error
  })
  const bootstrap: unknown = JSON.parse(await readFile(join(place.data_dir, 'bootstrap.json'), 'utf8'))
  const { token, account_id, api_url } = strings(bootstrap)
  return {
    place,
    child,
    origin: place.origin,
    token: token ?? '',
    account_id: account_id ?? '',
    client: createClient({ api_url: api_url ?? '', token }),
    async stop(signal = 'SIGTERM') {
      const before = child.stdout.length
      const code = await child.end(signal)
      // Its log says which part did not close, and how long each took.
      const words = child.stderr + child.stdout.slice(before)
      if (code !== 0) throw new Error(`The platform ended with ${String(code)}: ${words}`)
      await expectNoProcesses(place.markers)
    },
    kill: async () => void (await child.end('SIGKILL')),
  }
}

/** A platform of a file's own, on free ports and in a folder that goes with it. */
export async function startPlatform(env: Readonly<Record<string, string>> = {}): Promise<Platform> {
  const place = await makeBegunPlace(env)
  const platform = await startOn(place)
  return {
    ...platform,
    async stop(signal) {
      await platform.stop(signal)
      await place.remove()
    },
  }
}

function strings(value: unknown): Record<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return Object.fromEntries(entries.map(([key, text]) => [key, String(text)]))
}
