import { isLoopback } from '@svc/facts'
import { type Authority, authorityText } from '../../../network/authority.ts'
import { proxyEnvironment, proxyPort } from '../../../network/proxy-environment.ts'
import type { Workload } from '../../../provider.ts'
import { programPorts } from '../../../shared/daemon-ports.ts'
import { destinationsOf } from '../../../network/reach.ts'

/** The address inside that the daemon, the runtime and the proxy listen on: 127.0.0.1 stays free for the project. */
export const ownAddress = '127.0.0.2'
export const relayMount = '/run/svc-relay'
const proxyOf = (workload: Workload): Authority => ({
  host: ownAddress,
  port: workload === 'program' ? programPorts.runtime_port : proxyPort,
})

/** Platform addresses that mean something else inside: there the daemon listens for them. */
export function loopbackTargets(environment: Readonly<Record<string, string>>): readonly Authority[] {
  return destinationsOf(environment).filter(({ host }) => isLoopback(host))
}

/** The variables that the daemon and every program need in a network whose only way out is the relay. */
export function networkEnvironment(
  environment: Readonly<Record<string, string>>,
  listenFd: number,
  workload: Workload = 'session',
): Readonly<Record<string, string>> {
  const targets = loopbackTargets(environment)
  const proxy = proxyOf(workload)
  return {
    SVC_LISTEN_FD: String(listenFd),
    SVC_RELAY_DIR: relayMount,
    SVC_RELAY_PROXY: authorityText(proxy),
    SVC_RELAY_TARGETS: targets.map(authorityText).join(' '),
    ...proxyEnvironment(proxy, [ownAddress, ...targets.map(({ host }) => host)]),
  }
}
