import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtEntry } from './apps.ts'
import { Child } from './child.ts'
import { freePorts } from '../../../../../scripts/free-port.ts'
import { expectNoProcesses, killAll } from './processes.ts'
import { endPrograms } from './programs.ts'
import { serviceEnv, type ServiceUrls } from './service-env.ts'
import { waitFor } from '../wait-for.ts'

export interface Service {
  readonly app: string
  readonly name: string
  readonly internal: string
  readonly env: Readonly<Record<string, string>>
  child: Child
}

/** Every service in a process of its own, as on a cluster: they share a PostgreSQL, a Redis and the repositories. */
export interface Deployment {
  readonly root: string
  readonly origin: string
  readonly services: readonly Service[]
  service(name: string): Service
  /** Starts a service again that has ended. */
  start(service: Service): Promise<void>
  /** SIGTERM to all; the exit code of each by its name. */
  stop(): Promise<Readonly<Record<string, number | null>>>
  /** The power cut: no code of it or of its sandboxes runs any more, and its folders are lost. */
  lose(): Promise<void>
}

const wanted = [
  ['api', 'api'],
  ['gateway', 'gateway'],
  ['executor', 'executor'],
  ['scheduler', 'scheduler'],
  ['merge-worker', 'merge-worker 1'],
  ['merge-worker', 'merge-worker 2'],
  ['sandbox-worker', 'sandbox-worker 1'],
  ['sandbox-worker', 'sandbox-worker 2'],
  ['app-worker', 'app-worker'],
  ['app-proxy', 'app-proxy 1'],
  ['app-proxy', 'app-proxy 2'],
  ['channel-worker', 'channel-worker'],
] as const

export async function makeRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'svc-deployment-'))
  // Sandboxes run as users of their own, who have to walk through it.
  await chmod(root, 0o755)
  return root
}

/** In an empty folder, or in one that a restore filled. */
export async function startDeployment(urls: ServiceUrls, given?: string): Promise<Deployment> {
  const root = given ?? (await makeRoot())
  const [api = 0, gateway = 0, executor = 0, proxy = 0, other_proxy = 0, ...internals] = await freePorts(
    5 + wanted.length,
  )
  const reached = { api, gateway, executor, 'app-proxy': proxy }
  const envOf = await serviceEnv(root, urls, reached)
  const ports: Readonly<Record<string, number>> = {
    ...{ api, gateway, executor, 'app-proxy 1': proxy, 'app-proxy 2': other_proxy },
  }
  const services = wanted.map(([app, name], index): Service => {
    const internal = internals[index] ?? 0
    const env = envOf(app, name, { port: ports[name] ?? 0, internal })
    return { app, name, env, internal: `http://127.0.0.1:${internal}`, child: spawnService(app, env) }
  })
  await Promise.all(services.map(ready))

  return {
    root,
    origin: `http://127.0.0.1:${api}`,
    services,
    service(name) {
      const found = services.find((service) => service.name === name)
      if (!found) throw new Error(`There is no service ${name}`)
      return found
    },
    async start(service) {
      service.child = spawnService(service.app, service.env)
      await ready(service)
    },
    async stop() {
      const codes = await Promise.all(
        services.map(async ({ name, child }) => [name, await child.end('SIGTERM')] as const),
      )
      await Promise.all(services.filter(({ app }) => app === 'app-worker').map(({ env }) => endPrograms(env)))
      await expectNoProcesses([root]).finally(() => rm(root, { recursive: true, force: true, maxRetries: 5 }))
      return Object.fromEntries(codes)
    },
    async lose() {
      await Promise.all(services.map(({ child }) => child.end('SIGKILL')))
      await killAll([root])
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function spawnService(app: string, env: Readonly<Record<string, string>>): Child {
  return new Child(process.execPath, [builtEntry(app)], env)
}

async function ready({ name, internal, child }: Service): Promise<void> {
  await waitFor(`${name} is ready`, async () => {
    if (child.ended) return true
    return (await fetch(`${internal}/readyz`)).ok
  })
  if (child.ended) throw new Error(`${name} ended at its start: ${child.stderr}${child.stdout}`)
}
