import { arePortsFree, claimPorts, type Ports, releaseClaims } from '../claims.ts'
import { daemonPorts, programPorts } from '../../../shared/daemon-ports.ts'
import type { Host } from '../host.ts'
import type { SandboxRecord } from '../record.ts'
import { ownAddress } from './own-network.ts'

/** The address and ports of the daemon, and the network that they are on. */
export interface Network extends Ports {
  readonly network: SandboxRecord['network']
}

/**
 * In a network of its own every sandbox has the same ports. On the machine's it has an address of its own, and keeps it
 * unless something else has taken its ports meanwhile.
 */
export async function networkOf(
  host: Pick<Host, 'isolation' | 'paths'>,
  { external_id, workload }: Pick<SandboxRecord, 'external_id' | 'workload'>,
  before: SandboxRecord | null = null,
): Promise<Network> {
  const ports = workload === 'program' ? programPorts : daemonPorts
  if (hasOwnNetwork(host)) return { network: 'own', address: ownAddress, ...ports }
  const { claims } = host.paths
  if (before?.network === 'shared' && (await arePortsFree(before))) {
    const { address, service_port, runtime_port } = before
    return { network: 'shared', address, service_port, runtime_port }
  }
  const claimed = await claimPorts(claims, external_id, ports)
  if (before !== null && claimed.address !== before.address)
    await releaseClaims(claims, [`address-${before.address}`])
  return { network: 'shared', ...claimed }
}

export function hasOwnNetwork({ isolation }: Pick<Host, 'isolation'>): boolean {
  return isolation.kind === 'bubblewrap' && isolation.own_network
}
