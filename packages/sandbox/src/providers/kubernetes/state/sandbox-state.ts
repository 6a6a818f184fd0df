import type { V1ContainerStatus, V1PersistentVolumeClaim, V1Pod } from '@kubernetes/client-node'
import type { SandboxStatus } from '../../../provider.ts'
import { isProgram } from '../manifests/labels.ts'
import { containerName } from '../manifests/pod-manifest.ts'

/** The state of one run of a sandbox: `lost` when its node does not answer, `leaving` when its pod is being deleted. */
export type PodState = 'pending' | 'running' | 'ended' | 'leaving' | 'lost'

export function podStateOf(pod: V1Pod): PodState {
  const { phase } = pod.status ?? {}
  const state = containerOf(pod)?.state
  // The cluster may keep its record of a deleted pod for a while; nothing of it runs.
  if (phase === 'Succeeded' || phase === 'Failed' || state?.terminated !== undefined) return 'ended'
  if (pod.metadata?.deletionTimestamp !== undefined) return 'leaving'
  if (phase === 'Unknown') return 'lost'
  if (phase !== 'Running' || state?.running === undefined) return 'pending'
  // Without a readiness probe, a running pod is unready only when its node has stopped reporting.
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'True' || ready === undefined ? 'running' : 'lost'
}

export function containerOf(pod: V1Pod): V1ContainerStatus | undefined {
  return pod.status?.containerStatuses?.find(({ name }) => name === containerName)
}

/**
 * The status that is certain. A pod on its way up or down, or on a silent node, is neither running nor stopped; a
 * claim that is being deleted holds no files any more.
 */
export function statusOf(pod: V1Pod | null, claim: V1PersistentVolumeClaim | null): SandboxStatus {
  const state = pod === null ? 'ended' : podStateOf(pod)
  if (state === 'running') return 'running'
  if (state !== 'ended') return 'unknown'
  // A program has no claim: its pod is all that there is of it.
  if (pod !== null && isProgram(pod) && pod.metadata?.deletionTimestamp === undefined) return 'stopped'
  return claim === null || claim.metadata?.deletionTimestamp !== undefined ? 'removed' : 'stopped'
}
