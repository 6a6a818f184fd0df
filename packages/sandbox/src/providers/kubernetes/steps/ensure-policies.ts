import { createHash } from 'node:crypto'
import type { V1NetworkPolicy, V1PersistentVolumeClaim } from '@kubernetes/client-node'
import { forbiddenTargets } from '../../../network/egress.ts'
import type { Workload } from '../../../provider.ts'
import { SandboxError } from '../../../sandbox-error.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { policyManifest } from '../manifests/network-policy-manifest.ts'
import type { KubernetesProviderOptions } from '../options.ts'
import { repositoryPolicy } from '../manifests/repository-policy.ts'

const versionAnnotation = 'svc/version'

type PolicyCluster = Pick<Cluster, 'findPolicy' | 'createPolicy' | 'replacePolicy'>
type PolicyOptions = Pick<KubernetesProviderOptions, 'deployment' | 'platform' | 'platform_ports' | 'egress'>

/** No sandbox starts without the policy as the settings have it now. */
export async function ensurePolicy(
  cluster: PolicyCluster,
  options: PolicyOptions,
  workload: Workload = 'session',
): Promise<void> {
  await ensure(cluster, await deploymentPolicy(options, workload))
}

/** A sandbox reaches the repository of its environment, and none that it had before. */
export async function ensureRepositoryPolicy(
  cluster: PolicyCluster,
  options: PolicyOptions,
  claim: V1PersistentVolumeClaim,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const manifest = await repositoryPolicy(options, claim, environment)
  const isEmpty = manifest.spec?.egress?.length === 0
  // Most sandboxes need none; an empty one takes back what an earlier one gave.
  if (isEmpty && (await cluster.findPolicy(manifest.metadata?.name ?? '')) === null) return
  await ensure(cluster, manifest)
}

export async function deploymentPolicy(
  options: PolicyOptions,
  workload: Workload = 'session',
): Promise<V1NetworkPolicy> {
  const { egress } = options
  const targets = await forbiddenTargets(egress)
  const unknown = targets.find(({ addresses }) => addresses.length === 0)
  if (unknown !== undefined)
    throw new SandboxError(
      'network',
      `No policy can close ${unknown.host} to sandboxes, because its name has no address now; try again once it has.`,
    )
  const forbidden = targets.flatMap(({ addresses, port }) => addresses.map((address) => ({ address, port })))
  return policyManifest({ ...options, workload, mode: egress.mode, forbidden })
}

async function ensure(cluster: PolicyCluster, manifest: V1NetworkPolicy): Promise<void> {
  const version = createHash('sha256').update(JSON.stringify(manifest.spec)).digest('hex').slice(0, 16)
  const metadata = { ...manifest.metadata, annotations: { [versionAnnotation]: version } }
  const name = manifest.metadata?.name ?? ''
  const there = await cluster.findPolicy(name)
  if (there?.metadata?.annotations?.[versionAnnotation] === version) return
  if (there === null && (await cluster.createPolicy({ ...manifest, metadata })) !== null) return
  await cluster.replacePolicy(name, { ...manifest, metadata })
}
