import { describeBoxedSessions } from '../support/sessions/describe-boxed-sessions.ts'
import { makeBegunPlace, startOn } from '../support/platform/platform.ts'
import { describeOnCluster } from '@svc/sandbox/testing/cluster'

/** The whole platform beside a cluster, as `npm run test:kubernetes` makes one. */
describeOnCluster('a session in a pod', (cluster) => {
  describeBoxedSessions({
    provider: 'kubernetes',
    why: 'pods of a Kubernetes cluster',
    start: async () => {
      const place = await makeBegunPlace()
      const { port } = new URL(place.origin)
      const platform = await startOn(place, {
        SVC_SANDBOX_PROVIDER: 'kubernetes',
        SVC_DEPLOYMENT: `journey-${port}`,
        SVC_HOST: cluster.host_address,
        SVC_PUBLIC_URL: `http://${cluster.host_address}:${port}`,
        SVC_KUBERNETES_KUBECONFIG: cluster.kubeconfig,
        SVC_KUBERNETES_IMAGE: cluster.complete_image,
        SVC_KUBERNETES_PLATFORM: `${cluster.host_address}/32`,
        SVC_KUBERNETES_MEMORY_MB: '1024',
        SVC_KUBERNETES_DISK_MB: '1024',
        SVC_WARM_POOL_SIZE: '1',
        SVC_WARM_POOL_RUNTIME: 'pi',
      })
      return {
        ...platform,
        async stop(signal) {
          await platform.stop(signal)
          await place.remove()
        },
      }
    },
    hadWaited: async (_, { external_id }) => {
      const name = (external_id ?? '').replace('_', '-')
      const { metadata } = await cluster.admin.readNamespacedPod({ namespace: cluster.namespace, name })
      return metadata?.labels?.['svc/warm_id'] !== undefined
    },
  })
})
