import { createHash } from 'node:crypto'
import type { Cluster } from './cluster.ts'
import { policyManifest } from './network-policy-manifest.ts'
import type { KubernetesProviderOptions } from './options.ts'

const versionAnnotation = 'svc/version'

/** No sandbox starts without the policy as the settings have it now. */
export async function ensurePolicy(
  cluster: Pick<Cluster, 'findPolicy' | 'createPolicy' | 'replacePolicy'>,
  options: Pick<KubernetesProviderOptions, 'deployment' | 'platform' | 'platform_ports' | 'internet'>,
): Promise<void> {
  const manifest = policyManifest(options)
  const version = createHash('sha256').update(JSON.stringify(manifest.spec)).digest('hex').slice(0, 16)
  const metadata = { ...manifest.metadata, annotations: { [versionAnnotation]: version } }
  const name = manifest.metadata?.name ?? ''
  const there = await cluster.findPolicy(name)
  if (there?.metadata?.annotations?.[versionAnnotation] === version) return
  if (there === null && (await cluster.createPolicy({ ...manifest, metadata })) !== null) return
  await cluster.replacePolicy(name, { ...manifest, metadata })
}
