import type { V1NetworkPolicy, V1PersistentVolumeClaim } from '@kubernetes/client-node'
import { isPublicAddress } from '@svc/access'
import { parseAuthority } from '../../../network/authority.ts'
import { type Egress, judge } from '../../../network/egress.ts'
import { reachOf } from '../../../network/reach.ts'
import { metadataOf, sandboxLabel } from './labels.ts'
import { cidrOf } from './network-policy-manifest.ts'

/**
 * The way to a sandbox's own repository where the policy of all sandboxes has none, which it adds to. The cluster removes
 * it with the claim that owns it.
 */
export async function repositoryPolicy(
  { deployment, egress }: { readonly deployment: string; readonly egress: Egress },
  { metadata }: Pick<V1PersistentVolumeClaim, 'metadata'>,
  environment: Readonly<Record<string, string>>,
): Promise<V1NetworkPolicy> {
  const name = metadata?.name ?? ''
  const { labels } = metadataOf(deployment, name)
  const targets = await targetsOf(egress, environment)
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name,
      labels: { ...labels },
      ownerReferences: [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, uid: metadata?.uid ?? '' }],
    },
    spec: {
      podSelector: { matchLabels: { [sandboxLabel]: name } },
      policyTypes: ['Egress'],
      egress: targets.map(({ address, port }) => ({
        to: [{ ipBlock: { cidr: cidrOf(address) } }],
        ports: [{ protocol: 'TCP', port }],
      })),
    },
  }
}

async function targetsOf(egress: Egress, environment: Readonly<Record<string, string>>) {
  const reach = reachOf(environment)
  const repository = reach.repository === null ? null : parseAuthority(reach.repository)
  // The platform is open to every sandbox already.
  if (repository === null || reach.platform.has(reach.repository ?? '')) return []
  const verdict = await judge(repository, reach, egress)
  if (!verdict.allowed) return []
  const beyond = verdict.addresses.filter(
    (address) => egress.mode === 'platform' || !isPublicAddress(address),
  )
  return beyond.toSorted().map((address) => ({ address, port: repository.port }))
}
