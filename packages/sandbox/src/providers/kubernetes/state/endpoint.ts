import type { V1Pod } from '@kubernetes/client-node'
import { authorityText } from '../../../network/authority.ts'
import type { SandboxEndpoint } from '../../../provider.ts'
import { daemonPorts, programPorts } from '../../../shared/daemon-ports.ts'
import { isProgram } from '../manifests/labels.ts'

/** The daemon, or the parent of a program, at the pod's own address, which the platform reaches from within the cluster's network. */
export function endpointOf(pod: V1Pod): SandboxEndpoint | null {
  const address = pod.status?.podIP
  if (address === undefined) return null
  const { service_port: port } = isProgram(pod) ? programPorts : daemonPorts
  return { url: `http://${authorityText({ host: address, port })}` }
}
