import { describeSandboxProvider } from '../../src/testing/index.ts'
import { describeOnCluster } from '../../src/testing/cluster.ts'
import { killInPod } from './kill-in-pod.ts'
import { openKubernetes } from './open-kubernetes.ts'

describeOnCluster('the Kubernetes provider', (cluster) => {
  describeSandboxProvider('kubernetes', async () => {
    const { provider, open, dispose } = await openKubernetes(cluster)
    return {
      provider,
      crash: (external_id: string) => killInPod(cluster, provider, external_id),
      real: {
        proxied: false,
        another: () => open(),
        foreign: () => open({ deployment: `foreign-${Date.now()}` }),
      },
      dispose,
    }
  })
})
