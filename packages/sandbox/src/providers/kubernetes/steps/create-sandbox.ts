import { setTimeout as sleep } from 'node:timers/promises'
import type { V1PersistentVolumeClaim } from '@kubernetes/client-node'
import type { SandboxEndpoint, SandboxSpec } from '../../../provider.ts'
import { SandboxError } from '../../../sandbox-error.ts'
import { podSpecOf } from '../manifests/pod-spec.ts'
import { claimManifest } from '../manifests/claim-manifest.ts'
import { destroySandbox } from './destroy-sandbox.ts'
import { isOf, preparedAnnotation } from '../manifests/labels.ts'
import { runClaimed } from './run-pod.ts'
import { saveEnvironment } from './save-environment.ts'
import type { KubernetesContext } from '../context.ts'

/**
 * The claim comes first, since it owns the secret and is what a sandbox is known by. A sandbox that never ran leaves
 * nothing behind when it cannot be started.
 */
export async function createSandbox(
  context: KubernetesContext,
  name: string,
  spec: SandboxSpec,
  signal?: AbortSignal,
): Promise<SandboxEndpoint> {
  signal?.throwIfAborted()
  const claim = await ensureClaim(context, name, spec, signal)
  try {
    await saveEnvironment(context, claim, spec.environment)
    return await runClaimed(context, claim, signal)
  } catch (error) {
    if (signal?.aborted !== true && claim.metadata?.annotations?.[preparedAnnotation] === undefined) {
      await destroySandbox(context, name).catch((cause: unknown) =>
        context.options.log('warn', 'what a failed create made was not removed', {
          name,
          error: String(cause),
        }),
      )
    }
    throw error
  }
}

async function ensureClaim(
  context: KubernetesContext,
  name: string,
  spec: SandboxSpec,
  signal?: AbortSignal,
): Promise<V1PersistentVolumeClaim> {
  const { cluster, options, deadlines } = context
  const manifest = claimManifest({
    name,
    deployment: options.deployment,
    podSpec: podSpecOf(spec),
    disk_mb: spec.limits?.disk_mb ?? options.limits.disk_mb,
    storage_class: options.storage_class,
  })
  const deadline = Date.now() + deadlines.stop_ms
  for (;;) {
    signal?.throwIfAborted()
    const made = await cluster.createClaim(manifest)
    if (made !== null) return made
    const there = await cluster.findClaim(name)
    if (there !== null && !isOf(options.deployment, there))
      throw new SandboxError(
        'internal',
        `The claim ${name} in ${cluster.namespace} is not this deployment's; give each deployment an SVC_DEPLOYMENT of its own.`,
      )
    if (there !== null && there.metadata?.deletionTimestamp === undefined) return there
    if (Date.now() > deadline) {
      throw new SandboxError('network', `The cluster has not removed the former volume claim ${name} yet.`)
    }
    await sleep(200)
  }
}
