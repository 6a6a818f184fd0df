import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sandboxProvider } from '../sessions/sandbox-provider.ts'

/** Ports at which the services that take requests are reached: their own, or those of a balancer before them. */
export interface Reached {
  readonly api: number
  readonly gateway: number
  readonly executor: number
  readonly 'app-proxy': number
}

export interface ServiceUrls {
  readonly database: (app: string) => string
  readonly redis: string
  /** That of a deployment before; a new one where it is left out. */
  readonly master_key?: string
}

/** The ports of one process. */
export interface Listening {
  readonly port: number
  readonly internal: number
}

export type ServiceEnv = (app: string, name: string, own: Listening) => Readonly<Record<string, string>>

/** Makes the folders that services share, and gives each its settings. */
export async function serviceEnv(root: string, urls: ServiceUrls, reached: Reached): Promise<ServiceEnv> {
  await Promise.all(
    ['home', 'repositories', 'sandboxes', 'programs'].map((name) =>
      mkdir(join(root, name), { recursive: true }),
    ),
  )
  const common = {
    HOME: join(root, 'home'),
    REDIS_URL: urls.redis,
    SVC_PUBLIC_URL: `http://127.0.0.1:${reached.api}`,
    SVC_LLM_BASE_URL: `http://127.0.0.1:${reached.gateway}/v1/llm`,
    SVC_REPOSITORIES_DIR: join(root, 'repositories'),
    SVC_APPS_URL: `http://localhost:${reached['app-proxy']}`,
    SVC_MASTER_KEY: urls.master_key ?? randomBytes(32).toString('hex'),
    SVC_SANDBOXES_DIR: join(root, 'sandboxes'),
    SVC_SANDBOX_PROVIDER: sandboxProvider,
    SVC_METRICS_TOKEN: randomBytes(16).toString('hex'),
    SVC_HOST: '127.0.0.1',
    SVC_LOG_LEVEL: 'info',
  }
  const more: Readonly<Record<string, (port: string) => Readonly<Record<string, string>>>> = {
    api: (port) => ({
      SVC_PORT: port,
      SVC_BOOTSTRAP_FILE: join(root, 'bootstrap.json'),
      SVC_EXECUTOR_URL: `http://127.0.0.1:${reached.executor}`,
    }),
    gateway: (port) => ({ SVC_PORT: port }),
    executor: (port) => ({ SVC_EXECUTOR_PORT: port }),
    'app-worker': () => ({ SVC_PROGRAMS_DIR: join(root, 'programs') }),
    'app-proxy': (port) => ({
      SVC_PORT: port,
      SVC_OBJECT_STORE: `file://${join(root, 'repositories/objects')}`,
    }),
  }
  return (app, name, { port, internal }) => ({
    ...common,
    DATABASE_URL: urls.database(app),
    SVC_MIRRORS_DIR: join(root, `mirrors ${name}`),
    SVC_INTERNAL_PORT: String(internal),
    ...more[app]?.(String(port)),
  })
}
