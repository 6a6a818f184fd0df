import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { V1Pod } from '@kubernetes/client-node'
import type { TestCluster } from '@svc/sandbox/testing/cluster'
import { makePlatformImage } from '../platform/compose-images.ts'
import { forwardTo } from '../platform/forward.ts'
import { type Manifest, renderChart } from '../platform/helm.ts'
import { waitFor } from '../wait-for.ts'
import { startIngress } from './ingress.ts'
import { startOwned } from './owned.ts'
import { type ChartRelease, openRelease } from './release.ts'
import { chartSecrets, chartValues } from './values.ts'

const namespace = 'svc-chart'
const sandboxes = 'svc-chart-sandboxes'

/** All that is there before `helm install`: namespaces, secrets, a claim, images, and what the operator has beside the cluster. */
export type ChartGround = Awaited<ReturnType<typeof prepareGround>>

export async function prepareGround(cluster: TestCluster) {
  const { admin, host_address: host } = cluster
  const root = await mkdtemp(join(tmpdir(), 'svc-chart-'))
  const owned = await startOwned(host)
  const ingress = await startIngress(admin, { name: 'svc-api', namespace }, 8080)
  const outside = await forwardTo({ host: '127.0.0.1', port: ingress.port })
  const public_url = `http://${host}:${outside.port}`
  for (const name of [namespace, sandboxes])
    await admin.createNamespace({
      body: { metadata: { name, labels: { 'kubernetes.io/metadata.name': name } } },
    })
  for (const [name, stringData] of Object.entries(chartSecrets(owned)))
    await admin.createNamespacedSecret({ namespace, body: { metadata: { name }, stringData } })
  const claim = { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } }
  await admin.createNamespacedPersistentVolumeClaim({
    namespace,
    body: { metadata: { name: 'svc-repositories' }, spec: claim },
  })
  const engine = { docker_host: cluster.engine_url, base: cluster.base_image }
  const release: ChartRelease = openRelease(cluster.admin_config, namespace)

  return {
    root,
    public_url,
    ingress,
    release,
    /** Images of the services with these tags, which differ in their commits alone. */
    makeImages: (tags: readonly string[]) => {
      for (const tag of tags) makePlatformImage(engine, join(root, 'image'), `svc-chart:${tag}`, tag)
    },
    /** The chart with the image of a tag. */
    async render(tag: string, changes: object = {}): Promise<readonly Manifest[]> {
      const place = { public_url, sandboxes: { namespace: sandboxes, image: cluster.complete_image } }
      const file = join(root, 'values.json')
      await writeFile(file, JSON.stringify({ ...chartValues(place, `svc-chart:${tag}`), ...changes }))
      return renderChart([], file, namespace)
    },
    /** The folder of this machine in which the repositories are. */
    async repositories(): Promise<string> {
      const { spec } = await admin.readNamespacedPersistentVolumeClaim({
        namespace,
        name: 'svc-repositories',
      })
      const volume = await admin.readPersistentVolume({ name: spec?.volumeName ?? '' })
      return volume.spec?.local?.path ?? ''
    },
    /** Pods of the services, or of one, without those that leave. */
    async pods(service?: string) {
      const component = 'app.kubernetes.io/component'
      const labelSelector = service === undefined ? `${component}!=migrate` : `${component}=${service}`
      const { items } = await admin.listNamespacedPod({ namespace, labelSelector })
      return items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
    },
    /** As `kubectl drain` asks for it: the budget of its service may refuse it. */
    evict: ({ metadata: { name = '' } = {} }: V1Pod) =>
      admin.createNamespacedPodEviction({
        ...{ namespace, name },
        body: { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { namespace, name } },
      }),
    async close() {
      for (const name of [namespace, sandboxes]) await admin.deleteNamespace({ name })
      await waitFor('its namespaces are gone', async () => {
        const { items } = await admin.listNamespace()
        return items.every(({ metadata }) => ![namespace, sandboxes].includes(metadata?.name ?? ''))
      })
      await outside.close()
      await ingress.close()
      await owned.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}
