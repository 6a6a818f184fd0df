import type { V1NetworkPolicy, V1NetworkPolicyPeer } from '@kubernetes/client-node'
import { deploymentLabel } from './labels.ts'
import { policyName } from './names.ts'
import type { PlatformPeer } from './options.ts'

export interface PolicyInput {
  readonly deployment: string
  readonly platform: readonly PlatformPeer[]
  readonly platform_ports: readonly number[]
  readonly internet: boolean
}

/** Private, shared, link-local (the metadata address), loopback, test and multicast ranges. */
const notInternet4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** The same for IPv6, with the ranges that carry IPv4 addresses within. */
const notInternet6 = [
  '::/96',

  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]

const internet: V1NetworkPolicyPeer[] = [
  { ipBlock: { cidr: '0.0.0.0/0', except: notInternet4 } },
  { ipBlock: { cidr: '::/0', except: notInternet6 } },
]

/** NodeLocal DNSCache listens on this address of every node. */
const nodeLocalDns = '169.254.20.10/32'

/** One policy for all sandboxes of a deployment: nothing but the platform comes in, nothing private can be reached. */
export function policyManifest(input: PolicyInput): V1NetworkPolicy {
  const platform = input.platform.map(peerOf)
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name: policyName(input.deployment),
      labels: { 'app.kubernetes.io/managed-by': 'svc', [deploymentLabel]: input.deployment },
    },
    spec: {
      podSelector: {
        matchLabels: { 'app.kubernetes.io/name': 'svc-sandbox', [deploymentLabel]: input.deployment },
      },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ _from: platform, ports: [{ protocol: 'TCP', port: 8000 }] }],
      egress: [
        {
          to: [namespacePeer('kube-system'), { ipBlock: { cidr: nodeLocalDns } }],
          ports: [
            { protocol: 'UDP', port: 53 },
            { protocol: 'TCP', port: 53 },
          ],
        },
        { to: platform, ports: input.platform_ports.map((port) => ({ protocol: 'TCP', port })) },
        ...(input.internet ? [{ to: internet }] : []),
      ],
    },
  }
}

function peerOf(peer: PlatformPeer): V1NetworkPolicyPeer {
  return peer.includes('/') ? { ipBlock: { cidr: peer } } : namespacePeer(peer)
}

/** The cluster itself puts this label on every namespace since Kubernetes 1.21. */
function namespacePeer(namespace: string): V1NetworkPolicyPeer {
  return { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } }
}
