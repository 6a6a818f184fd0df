import {
  ApiException,
  AppsV1Api,
  BatchV1Api,
  type KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
} from '@kubernetes/client-node'
import type { Manifest } from '../platform/helm.ts'
import { waitFor } from '../wait-for.ts'

/** A chart in a namespace, given to the cluster as Helm does. */
export interface ChartRelease {
  /** The server's words on each that it would not take. */
  refused(manifests: readonly Manifest[]): Promise<readonly string[]>
  /** The hooks of an event to their ends, then the rest; a hook that fails leaves the rest as it was. */
  apply(manifests: readonly Manifest[], event: 'pre-install' | 'pre-upgrade'): Promise<void>
  /** Until every pod is one of those that were asked for last, and ready. */
  rolledOut(): Promise<void>
}

/** As Helm makes them: what others need comes first. */
const kinds = [
  ...['NetworkPolicy', 'PodDisruptionBudget', 'ServiceAccount', 'Role', 'RoleBinding'],
  ...['Service', 'Deployment', 'HorizontalPodAutoscaler', 'Ingress'],
]

export function openRelease(config: KubeConfig, namespace: string): ChartRelease {
  const objects = KubernetesObjectApi.makeApiClient(config)
  const batch = config.makeApiClient(BatchV1Api)
  const apps = config.makeApiClient(AppsV1Api)
  const put = async (manifest: Manifest) => {
    const body = { ...manifest, metadata: { namespace, ...manifest.metadata } }
    await objects.create(body).catch((error: unknown) => {
      if (!hasCode(error, 409)) throw error
      return objects.patch(
        body,
        undefined,
        undefined,
        undefined,
        undefined,
        PatchStrategy.StrategicMergePatch,
      )
    })
  }

  /** The policy of the chart's hook: the one of before goes first, and so does one that ended well. */
  async function runHook(hook: Manifest): Promise<void> {
    const job = { name: hook.metadata.name, namespace }
    const remove = async () => {
      await batch.deleteNamespacedJob({ ...job, propagationPolicy: 'Background' }).catch(unlessAbsent)
      await waitFor('the job is gone', () => batch.readNamespacedJob(job).then(() => false, isAbsent))
    }
    await remove()
    await put(hook)
    const end = await waitFor(
      'the job ends',
      async () => {
        const { status } = await batch.readNamespacedJob(job)
        return status?.conditions?.find((one) => one.status === 'True')?.type
      },
      { timeout_ms: 400_000 },
    )
    if (end !== 'Complete') throw new Error(`The hook ${job.name} failed`)
    await remove()
  }

  return {
    async refused(manifests) {
      const tried = manifests.map((one) => {
        const body = { ...one, metadata: { ...one.metadata, namespace } }
        return objects.create(body, undefined, 'All').then(
          () => [],
          (error: unknown) => [`${one.kind} ${one.metadata.name}: ${String(error)}`],
        )
      })
      return (await Promise.all(tried)).flat()
    },
    async apply(manifests, event) {
      const events = (one: Manifest) => one.metadata.annotations?.['helm.sh/hook']?.split(',')
      for (const hook of manifests) if (events(hook)?.includes(event)) await runHook(hook)
      const rest = manifests.filter((one) => events(one) === undefined)
      for (const one of rest.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))) await put(one)
    },
    async rolledOut() {
      let left: readonly string[] = []
      await waitFor(
        'every pod is ready',
        async () => {
          const { items } = await apps.listNamespacedDeployment({ namespace })
          left = items.flatMap(({ metadata, spec, status = {} }) => {
            const { observedGeneration = 0, updatedReplicas, availableReplicas, replicas } = status
            const counts = [updatedReplicas, availableReplicas, replicas]
            const isDone =
              observedGeneration >= (metadata?.generation ?? 0) &&
              counts.every((count) => count === spec?.replicas)
            return isDone ? [] : [`${metadata?.name}: ${JSON.stringify(status)}`]
          })
          return left.length === 0 && items.length > 0
        },
        { timeout_ms: 500_000, every_ms: 500 },
      ).catch((cause: unknown) => {
        throw new Error(`Not ready: ${left.join('\n')}`, { cause })
      })
    },
  }
}

const hasCode = (error: unknown, code: number): boolean =>
  error instanceof ApiException && error.code === code
const isAbsent = (error: unknown): boolean => hasCode(error, 404)

function unlessAbsent(error: unknown): void {
  if (!isAbsent(error)) throw error
}
