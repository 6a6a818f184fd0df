import type { V1Pod } from '@kubernetes/client-node'
import { logTail } from '../../../shared/log-tail.ts'
import { isOf, lastWordsAnnotation } from '../manifests/labels.ts'
import { exitOf } from '../state/exit-report.ts'
import { containerName } from '../manifests/pod-manifest.ts'
import { removePod } from './remove-pod.ts'
import type { Workshop } from '../context.ts'

/** Deletes the pod and keeps the claim. What ended by itself keeps its last words. */
export async function stopSandbox(shop: Workshop, name: string): Promise<void> {
  const pod = await shop.cluster.findPod(name)
  if (pod === null || !isOf(shop.options.deployment, pod)) return
  await keepLastWords(shop, name, pod)
  await removePod(shop, pod, 'ended')
}

/** On the secret: what a sandbox prints is for no more eyes than what it was given. */
async function keepLastWords({ cluster }: Workshop, name: string, pod: V1Pod): Promise<void> {
  const exit = exitOf(pod)
  if (exit === null) return
  const output = logTail(Buffer.from(await cluster.logOf(name, containerName)))
  await cluster.annotateSecret(name, { [lastWordsAnnotation]: JSON.stringify({ exit, output }) })
}
