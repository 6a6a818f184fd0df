import type { V1PersistentVolumeClaim, V1Pod } from '@kubernetes/client-node'
import type { SandboxEndpoint } from '../../../provider.ts'
import { SandboxError } from '../../../sandbox-error.ts'
import { awaitPod } from '../cluster/await-pod.ts'
import { podInputOf, readPodSpec } from '../manifests/pod-spec.ts'
import { endpointOf } from '../state/endpoint.ts'
import { ensurePolicy, ensureRepositoryPolicy } from './ensure-policies.ts'
import { isOf, preparedAnnotation } from '../manifests/labels.ts'
import { podManifest } from '../manifests/pod-manifest.ts'
import { removePod } from './remove-pod.ts'
import { podStateOf } from '../state/sandbox-state.ts'
import { environmentIn } from '../manifests/secret-manifest.ts'
import { type StartVerdict, startVerdict } from '../state/start-verdict.ts'
import type { KubernetesContext } from '../context.ts'

/** Others may stop what is being started here; after so many times they mean it. */
const attempts = 4
const lookEveryMs = 2_000

/** The pod of this claim, running: the one that is there, or a new one. From then on there are files to keep. */
export async function runClaimed(
  context: KubernetesContext,
  claim: V1PersistentVolumeClaim,
  signal?: AbortSignal,
): Promise<SandboxEndpoint> {
  const { name = '', annotations } = claim.metadata ?? {}
  const endpoint = await runPod(context, name, () => makePod(context, name, claim), signal)
  if (annotations?.[preparedAnnotation] === undefined)
    await context.cluster.annotateClaim(name, { [preparedAnnotation]: 'true' })
  return endpoint
}

/** The pod of this name, running: the one that is there, or one that `make` makes. */
export async function runPod(
  context: KubernetesContext,
  name: string,
  make: () => Promise<void>,
  signal?: AbortSignal,
): Promise<SandboxEndpoint> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    signal?.throwIfAborted()
    const there = await context.cluster.findPod(name)
    if (there !== null && !isOf(context.options.deployment, there))
      throw new SandboxError(
        'internal',
        `The pod ${name} in ${context.cluster.namespace} is not this deployment's; give each deployment an SVC_DEPLOYMENT of its own.`,
      )
    const state = there === null ? 'none' : podStateOf(there)
    if (there !== null && state === 'running') {
      const endpoint = endpointOf(there)
      if (endpoint !== null) return endpoint
    }
    if (there !== null && state !== 'pending' && state !== 'running') await removePod(context, there, 'gone')
    if (there === null || state !== 'pending') await make()
    const outcome = await awaitStart(context, name, signal)
    if (outcome.verdict === 'started') return reached(name, outcome.pod)
    if (outcome.verdict === 'refused') throw await refused(context, name, outcome.error)
  }
  throw new SandboxError(
    'internal',
    'The sandbox was stopped again and again while it started; start the session again.',
    {
      retryable: true,
    },
  )
}

async function makePod(
  { cluster, options }: KubernetesContext,
  name: string,
  claim: V1PersistentVolumeClaim,
): Promise<void> {
  await ensurePolicy(cluster, options)
  const environment = environmentIn(await cluster.findSecret(name))
  await ensureRepositoryPolicy(cluster, options, claim, environment)
  const prepared = claim.metadata?.annotations?.[preparedAnnotation] !== undefined
  await cluster.createPod(podManifest(podInputOf(options, name, readPodSpec(claim), prepared)))
}

async function awaitStart(
  { cluster, deadlines }: KubernetesContext,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Exclude<StartVerdict, { verdict: 'waiting' }>> {
  const begun = Date.now()
  const judge = (pod: V1Pod | null) => {
    const waited = Date.now() - begun
    const verdict = startVerdict(pod, {
      schedule_over: waited >= Math.min(deadlines.schedule_ms, deadlines.start_ms),
      start_over: waited >= deadlines.start_ms,
    })
    return verdict.verdict === 'waiting' ? null : verdict
  }
  const look_every_ms = Math.min(lookEveryMs, Math.ceil(deadlines.schedule_ms / 4))
  // The judge has the last word once the time is over, with the state of that moment.
  const deadline_ms = deadlines.start_ms + 3 * lookEveryMs
  return awaitPod(cluster, name, judge, { deadline_ms, look_every_ms, signal })
}

function reached(name: string, pod: V1Pod): SandboxEndpoint {
  const endpoint = endpointOf(pod)
  if (endpoint === null)
    throw new SandboxError('internal', `The pod ${name} has no address.`, { retryable: true })
  return endpoint
}

/** Removes a pod that no caller waits for any more, which must not start later and cost money; adds its node's words. */
async function refused(context: KubernetesContext, name: string, error: SandboxError): Promise<SandboxError> {
  try {
    const pod = await context.cluster.findPod(name)
    if (pod === null) return error
    const events = error.kind === 'internal' ? await context.cluster.eventsOf(pod.metadata?.uid ?? '') : []
    await removePod(context, pod, 'ended')
    const words = events.at(-1)?.message
    if (words === undefined) return error
    return new SandboxError(error.kind, `${error.message} (${words})`, { retryable: error.retryable })
  } catch (cause) {
    context.options.log('warn', 'a pod that did not start was not removed', { name, error: String(cause) })
    return error
  }
}
