import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import { SandboxError } from '../../../sandbox-error.ts'
import { containerOf, podStateOf } from './sandbox-state.ts'

export type StartVerdict =
  /** The pod ran, whether or not it still does. */
  | { readonly verdict: 'started'; readonly pod: V1Pod }
  | { readonly verdict: 'refused'; readonly error: SandboxError }
  /** The pod was deleted meanwhile. */
  | { readonly verdict: 'deleted' }
  | { readonly verdict: 'waiting' }

export interface StartDeadlines {
  /** The time is up for a node, or for everything. */
  readonly schedule_over: boolean
  readonly start_over: boolean
}

const badImage = new Set([
  'ErrImageNeverPull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'SignatureValidationFailed',
])
const cannotRun = new Set(['ContainerCannotRun', 'CreateContainerError', 'RunContainerError', 'StartError'])
/** Given on the node, when its room is gone between the scheduler's choice and the pod's arrival. */
const noRoom =
  /^(?:OutOf|Evicted|NodeAffinity|NodeShutdown|Terminated|Shutdown|Preempt|UnexpectedAdmissionError|TopologyAffinityError)/

/** Tells from a pod that was created whether it will run. */
export function startVerdict(pod: V1Pod | null, deadlines: StartDeadlines): StartVerdict {
  if (pod === null) return { verdict: 'deleted' }
  const error = refusalOf(pod, deadlines)
  if (error !== null) return { verdict: 'refused', error }
  const state = podStateOf(pod)
  if (state === 'leaving') return { verdict: 'deleted' }
  if (pod.status?.podIP !== undefined && (state === 'running' || state === 'ended'))
    return { verdict: 'started', pod }
  if (deadlines.start_over) return { verdict: 'refused', error: tooLate(pod) }
  return { verdict: 'waiting' }
}

function refusalOf(pod: V1Pod, deadlines: StartDeadlines): SandboxError | null {
  const { phase, reason = '', message = '' } = pod.status ?? {}
  for (const status of [
    ...(pod.status?.initContainerStatuses ?? []),
    ...(pod.status?.containerStatuses ?? []),
  ]) {
    const error = containerRefusal(status)
    if (error !== null) return error
  }
  if (phase === 'Failed' && containerOf(pod)?.state?.terminated === undefined) {
    const text = `The sandbox's pod was refused by its node: ${reason} ${message}`.trim()
    return new SandboxError(noRoom.test(reason) ? 'capacity' : 'internal', text, { retryable: true })
  }
  return deadlines.schedule_over ? unscheduled(pod) : null
}

function containerRefusal(status: V1ContainerStatus): SandboxError | null {
  const { waiting, terminated } = status.state ?? {}
  const { reason = '', message = '' } = waiting ?? terminated ?? {}
  if (badImage.has(reason)) return imageError(`cannot be pulled`, status, reason, message)
  if (cannotRun.has(reason)) return imageError(`cannot be run`, status, reason, message)
  if (reason === 'CreateContainerConfigError' && /run ?as ?non-?root|non-numeric user/i.test(message))
    return imageError('cannot be run', status, reason, message)
  if (status.name === 'prepare' && terminated !== undefined && terminated.exitCode !== 0) {
    const text = `The sandbox's volume could not be prepared (exit ${terminated.exitCode}): ${message}`
    return new SandboxError('internal', text.trim(), { retryable: true })
  }
  return null
}

function imageError(what: string, status: V1ContainerStatus, reason: string, message: string): SandboxError {
  return new SandboxError('image', `The sandbox image ${status.image} ${what}: ${reason}: ${message}`)
}

/**
 * Volumes and nodes that are all taken come free again, and a claim that is not bound may be still; a volume whose node
 * is gone does not come back.
 */
function unscheduled(pod: V1Pod): SandboxError | null {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
  if (scheduled?.status !== 'False') return null
  const { message = 'no reason given' } = scheduled
  const taken = /Insufficient |available persistent volumes? to bind/i.test(message)
  if (!taken && /persistentvolumeclaim|volume node affinity/i.test(message)) {
    const retryable = /unbound immediate persistentvolumeclaims/i.test(message)
    return new SandboxError('quota', `The cluster has no volume for the sandbox: ${message}`, { retryable })
  }
  return new SandboxError('capacity', `No node or volume has room for the sandbox: ${message}`)
}

function tooLate(pod: V1Pod): SandboxError {
  const waiting = pod.status?.containerStatuses?.find(({ state }) => state?.waiting !== undefined)?.state
    ?.waiting
  const preparing = pod.status?.initContainerStatuses?.find(({ state }) => state?.waiting !== undefined)
    ?.state?.waiting
  const { reason = pod.status?.phase ?? 'Pending', message = '' } = preparing ?? waiting ?? {}
  const kind = /image/i.test(reason) ? 'image' : 'internal'
  const text = `The sandbox's pod did not start in time: ${reason} ${message}`.trim()
  return new SandboxError(kind, text, { retryable: true })
}
