import { openPrograms } from '../../src/providers/index.ts'
import { describeOnCluster } from '../../src/testing/cluster.ts'
import { describePrograms } from '../../src/testing/index.ts'
import { killFirstOf } from './kill-in-pod.ts'
import { openKubernetes } from './open-kubernetes.ts'

describeOnCluster('programs in pods', (cluster) => {
  describePrograms('kubernetes', async () => {
    const { provider, open, dispose } = await openKubernetes(cluster, { image: cluster.complete_image })
    return {
      programs: openPrograms(provider),
      real: {
        another: async () => openPrograms(await open()),
        crash: (external_id: string) => killFirstOf(cluster, external_id),
        shared: false,
        seen: async (external_id: string) => {
          const { admin, namespace } = cluster
          const name = external_id.replace('_', '-')
          return JSON.stringify([
            await admin.readNamespacedPod({ namespace, name }),
            await admin.listNamespacedEvent({ namespace }),
            (await admin.listNamespacedSecret({ namespace })).items.map(({ metadata }) => metadata?.name),
          ])
        },
      },
      dispose,
    }
  })
})
