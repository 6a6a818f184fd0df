import { isIP } from 'node:net'
import type {
  V1NetworkPolicy,
  V1NetworkPolicyEgressRule,
  V1NetworkPolicyPeer,
  V1NetworkPolicyPort,
} from '@kubernetes/client-node'
import { isPublicAddress, publicRanges } from '@svc/access'
import type { Egress } from '../../../network/egress.ts'
import type { Workload } from '../../../provider.ts'
import { daemonPorts, programPorts } from '../../../shared/daemon-ports.ts'
import { deploymentLabel, programName, sessionName } from './labels.ts'
import { policyName } from './names.ts'
import type { PlatformPeer } from '../options.ts'

export interface PolicyInput {
  /** The sandboxes of one workload; those of sessions where it is absent. */
  readonly workload?: Workload
  readonly deployment: string
  readonly platform: readonly PlatformPeer[]
  readonly platform_ports: readonly number[]
  readonly mode: Egress['mode']
  /** The operator's own services, which stay closed at public addresses too. */
  readonly forbidden: readonly { readonly address: string; readonly port: number }[]
}

/** NodeLocal DNSCache listens on this address of every node. */
const nodeLocalDns = '169.254.20.10/32'

/**
 * One policy for all sandboxes of a workload in a deployment: nothing but the platform comes in, nothing private can be reached,
 * and by programs not the platform either.
 */
export function policyManifest(input: PolicyInput): V1NetworkPolicy {
  const platform = input.platform.map(peerOf)
  const { workload = 'session' } = input
  const ofProgram = workload === 'program'
  const { service_port } = ofProgram ? programPorts : daemonPorts
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name: policyName(input.deployment, workload),
      labels: { 'app.kubernetes.io/managed-by': 'svc', [deploymentLabel]: input.deployment },
    },
    spec: {
      podSelector: {
        matchLabels: {
          'app.kubernetes.io/name': ofProgram ? programName : sessionName,
          [deploymentLabel]: input.deployment,
        },
      },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ _from: platform, ports: [{ protocol: 'TCP', port: service_port }] }],
      egress: [
        {
          to: [namespacePeer('kube-system'), { ipBlock: { cidr: nodeLocalDns } }],
          ports: [
            { protocol: 'UDP', port: 53 },
            { protocol: 'TCP', port: 53 },
          ],
        },
        ...(ofProgram
          ? []
          : [{ to: platform, ports: input.platform_ports.map((port) => ({ protocol: 'TCP', port })) }]),
        ...(input.mode === 'open' ? internetRules(input.forbidden) : []),
      ],
    },
  }
}

/** Public addresses at every port; those of a closed service at every port but its own. */
function internetRules(forbidden: PolicyInput['forbidden']): V1NetworkPolicyEgressRule[] {
  const portsOf = new Map<string, number[]>()
  for (const { address, port } of forbidden)
    if (isPublicAddress(address)) portsOf.set(address, [...(portsOf.get(address) ?? []), port])
  const closed = [...portsOf].toSorted(([a], [b]) => a.localeCompare(b))
  const peers = ([4, 6] as const).map((version): V1NetworkPolicyPeer => {
    const { cidr, except } = version === 4 ? publicRanges.v4 : publicRanges.v6
    const own = closed.filter(([address]) => isIP(address) === version).map(([address]) => cidrOf(address))
    return { ipBlock: { cidr, except: [...except, ...own] } }
  })
  return [
    { to: peers },
    ...closed.map(([address, ports]) => ({
      to: [{ ipBlock: { cidr: cidrOf(address) } }],
      ports: portsBeside(ports),
    })),
  ]
}

/** A cluster before 1.25 knows no ranges of ports and opens the first of each alone. */
function portsBeside(closed: readonly number[]): V1NetworkPolicyPort[] {
  const edges = [0, ...[...new Set(closed)].toSorted((a, b) => a - b), 65_536]
  return edges.flatMap((edge, index) => {
    const last = (edges[index + 1] ?? 0) - 1
    return edge + 1 > last ? [] : [{ protocol: 'TCP', port: edge + 1, endPort: last }]
  })
}

/** One address as a network. */
export function cidrOf(address: string): string {
  return `${address}/${isIP(address) === 6 ? 128 : 32}`
}

function peerOf(peer: PlatformPeer): V1NetworkPolicyPeer {
  return peer.includes('/') ? { ipBlock: { cidr: peer } } : namespacePeer(peer)
}

/** The cluster itself puts this label on every namespace since Kubernetes 1.21. */
function namespacePeer(namespace: string): V1NetworkPolicyPeer {
  return { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } }
}
