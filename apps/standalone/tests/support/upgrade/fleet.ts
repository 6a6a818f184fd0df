import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { within } from '@svc/timing'
import { Child } from '../platform/child.ts'
import { freePorts } from '../../../../../scripts/free-port.ts'
import { expectNoProcesses } from '../platform/processes.ts'
import { serviceEnv, type ServiceUrls } from '../platform/service-env.ts'
import { waitFor } from '../wait-for.ts'
import { type Balancer, type FailedRequest, startBalancer } from './balancer.ts'
import type { Release } from './releases.ts'

const balanced = ['api', 'gateway', 'executor', 'app-proxy'] as const
export const fleetApps = [
  ...balanced,
  ...(['scheduler', 'merge-worker', 'sandbox-worker', 'app-worker', 'channel-worker'] as const),
]
type App = (typeof fleetApps)[number]
/** More than a few looks of a balancer. */
const drainSeconds = '4'
/** Only how long a failure takes to show: the drain, and what each service lets its running work have after it. */
const leaveMs = 120_000

interface Member {
  readonly app: App
  readonly name: string
  readonly internal: string
  readonly child: Child
}

/** A number of every service, each in a process of its own, behind balancers that obey `/readyz`. */
export interface Fleet {
  readonly root: string
  readonly origin: string
  /** Starts the services of a release under a name of their own; they are ready when it returns. */
  add(release: Release, name: string): Promise<void>
  /** SIGTERM to those of a name: the exit code of each. */
  leave(name: string): Promise<Readonly<Record<string, number | null>>>
  /** Requests in all, and those that failed. */
  asked(): number
  /** Those that are open. */
  open(): readonly string[]
  failed(): readonly FailedRequest[]
  /** The logs of all that ever ran. */
  logs(): string
  close(): Promise<void>
}

export async function startFleet(urls: ServiceUrls): Promise<Fleet> {
  const root = await mkdtemp(join(tmpdir(), 'svc-fleet-'))
  // Sandboxes run as users of their own, who have to walk through it.
  await chmod(root, 0o755)
  const balancers = new Map<App, Balancer>()
  for (const app of balanced) balancers.set(app, await startBalancer())
  const portOf = (app: App) => balancers.get(app)?.port ?? 0
  const envOf = await serviceEnv(root, urls, {
    api: portOf('api'),
    gateway: portOf('gateway'),
    executor: portOf('executor'),
    'app-proxy': portOf('app-proxy'),
  })
  const ended: Child[] = []
  let members: (Member & { readonly of: string })[] = []

  const end = ({ name, child }: Member): Promise<number | null> =>
    within(
      leaveMs,
      child.end('SIGTERM'),
      () => new Error(`${name} has not ended: ${child.stderr}${child.stdout}`),
    )

  async function add({ folder }: Release, of: string): Promise<void> {
    const ports = await freePorts(fleetApps.length * 2)
    const added = fleetApps.map((app, index) => {
      const [port = 0, internal = 0] = ports.slice(index * 2)
      const name = `${app} ${of}`
      const env = { ...envOf(app, name, { port, internal }), SVC_DRAIN_SECONDS: drainSeconds }
      const child = new Child(process.execPath, [join(folder, 'apps', app, 'dist/main.js')], env)
      return { app, name, of, port, internal: `http://127.0.0.1:${internal}`, child }
    })
    members.push(...added)
    await Promise.all(added.map(ready))
    for (const one of added) balancers.get(one.app)?.add(one)
  }

  return {
    root,
    origin: `http://127.0.0.1:${portOf('api')}`,
    add,
    async leave(of) {
      const leaving = members.filter((member) => member.of === of)
      const codes = await Promise.all(
        leaving.map(async (member) => {
          const code = await end(member)
          balancers.get(member.app)?.remove(member.name)
          return [member.name, code] as const
        }),
      )
      ended.push(...leaving.map(({ child }) => child))
      members = members.filter((member) => member.of !== of)
      return Object.fromEntries(codes)
    },
    asked: () => [...balancers.values()].reduce((sum, { asked }) => sum + asked(), 0),
    open: () => [...balancers.values()].flatMap((balancer) => balancer.open()),
    failed: () => [...balancers.values()].flatMap(({ failed }) => failed),
    logs: () =>
      [...ended, ...members.map(({ child }) => child)].map(({ stdout, stderr }) => stdout + stderr).join(''),
    async close() {
      await Promise.all(members.map(end))
      await Promise.all([...balancers.values()].map((balancer) => balancer.close()))
      await expectNoProcesses([root]).finally(() => rm(root, { recursive: true, force: true, maxRetries: 5 }))
    },
  }
}

async function ready({ name, internal, child }: Member): Promise<void> {
  await waitFor(`${name} is ready`, async () => child.ended || (await fetch(`${internal}/readyz`)).ok)
  if (child.ended) throw new Error(`${name} ended at its start: ${child.stderr}${child.stdout}`)
}
