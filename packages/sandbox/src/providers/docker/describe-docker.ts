import type { ProviderDescription } from '../../provider.ts'
import type { DockerHost } from './docker-host.ts'

export function describeDocker(
  host: Pick<DockerHost, 'options' | 'disk' | 'egress' | 'default_limits'>,
): ProviderDescription {
  const { runtime, build_network } = host.options
  const open = host.egress.mode === 'open'
  const engine = host.disk.by_engine
  const internet = open
    ? 'internet: sandboxes reach public addresses through a proxy of the platform'
    : 'internet: sandboxes reach the platform and their own repository only'
  return {
    name: 'docker',
    isolated: [
      'files: a sandbox has a root file system of its own and sees none of this machine’s',
      'processes: a sandbox sees and signals only its own, as user 1000, without any capability or a way to new ones',
      'network: a sandbox has no network device, so no way to this machine’s ports, to other sandboxes or to the metadata address',
      ...(!open ? [internet] : []),
      ...(engine && host.default_limits.disk_mb !== undefined
        ? ['disk: limited by the engine’s storage']
        : []),
      'cpu, memory, pids: limited for the sandbox as a whole, where limits are set',
      ...(runtime === undefined ? [] : [`kernel: sandboxes run under the runtime ${runtime}`]),
    ],
    not_isolated: [
      ...(open ? [internet] : []),
      ...(engine
        ? []
        : [
            'disk: the engine’s storage has no quotas, so a sandbox that writes too much is noticed and ended a little later',
          ]),
      ...(runtime === undefined ? ['kernel: sandboxes share this machine’s'] : []),
      'bandwidth: nothing limits how much a sandbox reads, writes and sends in a second',
      ...(build_network === undefined || build_network === 'none'
        ? []
        : [
            `builds: Dockerfiles of projects run with the network ${build_network}, and reach what it reaches`,
          ]),
    ],
  }
}
