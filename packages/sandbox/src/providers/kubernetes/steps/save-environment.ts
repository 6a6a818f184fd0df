import type { V1PersistentVolumeClaim } from '@kubernetes/client-node'
import { daemonPorts } from '../../../shared/daemon-ports.ts'
import { mountedPlaces, sandboxEnvironment } from '../../../shared/environment.ts'
import { SandboxError } from '../../../sandbox-error.ts'
import { exitReportAnnotation } from '../manifests/labels.ts'
import { externalIdOfName } from '../manifests/names.ts'
import { secretManifest } from '../manifests/secret-manifest.ts'
import type { KubernetesContext } from '../context.ts'

/**
 * Saves the environment of the sandbox's next start; null keeps the one it has. A pod that runs is not touched. The
 * exit report of an earlier run is forgotten with it.
 */
export async function saveEnvironment(
  { cluster, options }: KubernetesContext,
  claim: V1PersistentVolumeClaim,
  environment: Readonly<Record<string, string>> | null,
): Promise<void> {
  const name = claim.metadata?.name ?? ''
  if (environment === null) {
    const kept = await cluster.annotateSecret(name, { [exitReportAnnotation]: null })
    if (kept !== null) return
    throw new SandboxError('internal', `The environment of the sandbox ${externalIdOfName(name)} is gone.`)
  }
  // The path is the image's own.
  const { PATH: _, ...whole } = sandboxEnvironment(
    // The daemon listens on the pod's address, its runtime on loopback.
    { external_id: externalIdOfName(name), address: '', ...daemonPorts, environment },
    mountedPlaces,
    options.api_url,
  )
  const secret = secretManifest({ name, deployment: options.deployment, environment: whole, claim })
  const saved = (await cluster.replaceSecret(name, secret)) ?? (await cluster.createSecret(secret))
  // Another worker made one between the two calls.
  if (saved === null && (await cluster.replaceSecret(name, secret)) === null)
    throw new SandboxError('internal', `The environment of ${name} could not be saved.`, { retryable: true })
}
