import type { V1Pod } from '@kubernetes/client-node'
import { authorityText } from '../../../network/authority.ts'
import type { SandboxEndpoint } from '../../../provider.ts'
import { daemonPorts } from '../../../shared/daemon-ports.ts'

/** The daemon at the pod's own address, which the platform reaches from within the cluster's network. */
export function endpointOf(pod: V1Pod): SandboxEndpoint | null {
  const address = pod.status?.podIP
  if (address === undefined) return null
  return { url: `http://${authorityText({ host: address, port: daemonPorts.service_port })}` }
}
