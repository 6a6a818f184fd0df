import { isOf } from '../manifests/labels.ts'
import { removePod } from './remove-pod.ts'
import type { KubernetesContext } from '../context.ts'

/** Ends it and has everything removed; the cluster drops the volume when the last of the pod is gone. */
export async function destroySandbox(context: KubernetesContext, name: string): Promise<void> {
  const { cluster, options } = context
  const [pod, claim] = await Promise.all([cluster.findPod(name), cluster.findClaim(name)])
  // The claim comes first, so that no other worker starts the sandbox again.
  if (claim !== null && isOf(options.deployment, claim)) {
    await cluster.deleteClaim(name)
    await cluster.deleteSecret(name)
  }
  if (pod !== null && isOf(options.deployment, pod)) await removePod(context, pod, 'ended')
}
