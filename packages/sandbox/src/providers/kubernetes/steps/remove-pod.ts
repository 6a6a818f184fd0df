import type { V1Pod } from '@kubernetes/client-node'
import { SandboxError } from '../../../sandbox-error.ts'
import { awaitPod } from '../cluster/await-pod.ts'
import { toClusterError } from '../cluster/api-failure.ts'
import { podStateOf } from '../state/sandbox-state.ts'
import type { KubernetesContext } from '../context.ts'

/**
 * Deletes this very pod and waits until its node has confirmed that nothing of it runs, or that it is gone, which takes
 * some seconds more. A pod on a silent node is not forced away: it may still write to the volume.
 */
export async function removePod(
  { cluster, deadlines }: KubernetesContext,
  pod: V1Pod,
  until: 'ended' | 'gone',
): Promise<void> {
  const { name = '', uid = '' } = pod.metadata ?? {}
  await cluster.deletePod(name, uid)
  let seen = pod
  const isRemoved = (now: V1Pod | null) => {
    if (now === null || now.metadata?.uid !== uid) return true
    seen = now
    return until === 'ended' && podStateOf(now) === 'ended' ? true : null
  }
  try {
    await awaitPod(cluster, name, isRemoved, { deadline_ms: deadlines.stop_ms, look_every_ms: 2_000 })
  } catch (error) {
    const node = seen.spec?.nodeName ?? 'its node'
    const silent = podStateOf(seen) === 'lost' ? ', which does not answer' : ''
    throw new SandboxError(
      'network',
      `The end of the sandbox is not confirmed by ${node}${silent}: ${toClusterError(error, 'waiting').message}`,
    )
  }
}
