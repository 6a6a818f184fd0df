import { randomBytes } from 'node:crypto'
import type { Owned } from './owned.ts'

const services = {
  api: 'api',
  scheduler: 'scheduler',
  executor: 'executor',
  appWorker: 'app-worker',
  channelWorker: 'channel-worker',
  mergeWorker: 'merge-worker',
  sandboxWorker: 'sandbox-worker',
  gateway: 'gateway',
  appProxy: 'app-proxy',
} as const

/** Those of which there are two: what people and sandboxes call, and what makes the sandboxes. */
export const doubled: readonly string[] = ['api', 'gateway', 'sandbox-worker']
export const podCount = Object.values(services).length + doubled.length

export interface ChartPlace {
  readonly public_url: string
  readonly sandboxes: { readonly namespace: string; readonly image: string }
}

/** The file in the claim of the repositories with the first account's token. */
export const bootstrapFile = 'bootstrap.json'

/** Values with which all of the chart's services run on the one node of a test, each with a role of its own. */
export function chartValues({ public_url, sandboxes }: ChartPlace, image: string) {
  const [repository, tag] = image.split(':')
  // A node of two processors has room for them.
  const resources = { requests: { cpu: '20m', memory: '96Mi' } }
  const pods = { SVC_KUBERNETES_MEMORY_MB: 1_024, SVC_KUBERNETES_DISK_MB: 1_024 }
  const env: Readonly<Record<string, object>> = {
    api: { SVC_BOOTSTRAP_FILE: `/var/lib/svc/repositories/${bootstrapFile}` },
    appWorker: pods,
    sandboxWorker: pods,
  }
  const own = Object.entries(services).map(([key, name]) => [
    key,
    {
      ...{ existingSecret: `svc-${name}`, resources, env: env[key] ?? {} },
      replicas: doubled.includes(name) ? 2 : 1,
    },
  ])
  return {
    image: { repository, tag },
    publicUrl: public_url,
    existingSecret: 'svc',
    gatewayKeySecret: 'svc-gateway-key',
    migrate: { existingSecret: 'svc-owner' },
    repositories: { existingClaim: 'svc-repositories' },
    sandboxes: { ...sandboxes, deployment: 'chart' },
    ...Object.fromEntries(own),
  }
}

/** The secrets that these values name. */
export function chartSecrets({
  database,
  redis,
  objects,
}: Owned): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const shared = { REDIS_URL: redis, SVC_MASTER_KEY: randomBytes(32).toString('hex') }
  const keyless: readonly string[] = ['gateway', 'app-proxy']
  const own = Object.values(services).map((name) => [
    `svc-${name}`,
    { DATABASE_URL: database(name), ...objects, ...(keyless.includes(name) ? {} : shared) },
  ])
  return {
    'svc-owner': { DATABASE_URL: database('owner') },
    'svc-stranger': { DATABASE_URL: database('owner').replace('svc_owner', 'stranger') },
    'svc-gateway-key': { SVC_GATEWAY_MASTER_KEY: randomBytes(32).toString('hex') },
    ...Object.fromEntries(own),
  }
}
