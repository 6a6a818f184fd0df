import { authorityOf, authorityText, isLoopback } from '../../../network/authority.ts'
import { proxyEnvironment } from '../../../network/proxy-environment.ts'

/** The address inside that the daemon, the runtime and the proxy listen on: 127.0.0.1 stays free for the project. */
export const ownAddress = '127.0.0.2'
export const relayMount = '/run/svc-relay'
const proxyPort = 3128

/** Platform addresses that mean something else inside: there the daemon listens for them. */
export function loopbackTargets(environment: Readonly<Record<string, string>>): readonly string[] {
  const found = ['SVC_API_URL', 'SVC_LLM_BASE_URL', 'SVC_REPO_URL'].flatMap((name) => {
    const target = authorityOf(environment[name] ?? '')
    return target !== null && isLoopback(target) ? [authorityText(target)] : []
  })
  return [...new Set(found)]
}

/** The variables that the daemon and every program need in a network whose only way out is the relay. */
export function networkEnvironment(
  environment: Readonly<Record<string, string>>,
  listenFd: number,
): Readonly<Record<string, string>> {
  const proxy = `http://${ownAddress}:${proxyPort}`
  const targets = loopbackTargets(environment)
  const hosts = targets.map((text) => text.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
  return {
    SVC_LISTEN_FD: String(listenFd),
    SVC_RELAY_DIR: relayMount,
    SVC_RELAY_PROXY: `${ownAddress}:${proxyPort}`,
    SVC_RELAY_TARGETS: targets.join(' '),
    ...proxyEnvironment(proxy, [ownAddress, ...hosts]),
  }
}
