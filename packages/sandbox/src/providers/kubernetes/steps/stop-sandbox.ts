import type { V1Pod } from '@kubernetes/client-node'
import { logTail } from '../../../shared/log-tail.ts'
import { isOf, exitReportAnnotation } from '../manifests/labels.ts'
import { exitOf } from '../state/exit-report.ts'
import { containerName } from '../manifests/pod-manifest.ts'
import { removePod } from './remove-pod.ts'
import type { KubernetesContext } from '../context.ts'

/** Deletes the pod and keeps the claim. A sandbox that ended by itself keeps its exit report. */
export async function stopSandbox(context: KubernetesContext, name: string): Promise<void> {
  const pod = await context.cluster.findPod(name)
  if (pod === null || !isOf(context.options.deployment, pod)) return
  await keepExitReport(context, name, pod)
  await removePod(context, pod, 'ended')
}

/** Keeps it on the secret: a sandbox's output is for no more eyes than its environment. */
async function keepExitReport({ cluster }: KubernetesContext, name: string, pod: V1Pod): Promise<void> {
  const exit = exitOf(pod)
  if (exit === null) return
  const output = logTail(Buffer.from(await cluster.logOf(name, containerName)))
  await cluster.annotateSecret(name, { [exitReportAnnotation]: JSON.stringify({ exit, output }) })
}
