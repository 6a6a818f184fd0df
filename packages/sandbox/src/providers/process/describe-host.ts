import type { ProviderDescription } from '../../provider.ts'
import type { Host } from './host.ts'

type Means = Pick<Host, 'uids' | 'prlimit' | 'cgroups' | 'counts_processes'>

export const sharedNetwork =
  'network: sandboxes share this machine’s network, reach the internet, each other’s ports and what listens on loopback'
const disk =
  'disk: measured, not held: a sandbox that has written more than its limit is ended within seconds; the number of files is not limited'

export function describeHost(
  host: Means & Pick<Host, 'isolation'> & { readonly egress: Pick<Host['egress'], 'mode'> },
): ProviderDescription {
  const ownUsers = host.uids !== null
  const users = ownUsers ? ['users: each sandbox runs as an unprivileged user of its own'] : []
  const noUsers = ownUsers ? [] : ['users: sandboxes run as the platform’s own user']
  if (host.isolation.kind === 'bubblewrap') {
    const { own_network, seccomp } = host.isolation
    return {
      name: 'bubblewrap',
      isolated: [
        'files: a sandbox sees its own folders and this machine’s programs, the latter read-only',
        'processes: a sandbox sees and signals only its own, without any capability',
        ...(own_network ? [networkWords(host.egress.mode)] : []),
        ...(seccomp === null ? [] : ['system calls: those that no program of an agent needs are refused']),
        ...users,
        ...limitedWords(host),
      ],
      not_isolated: [
        ...(own_network ? [] : [sharedNetwork]),
        disk,
        ...unlimitedWords(host),
        ...noUsers,
        ...(seccomp === null ? ['system calls: not filtered'] : []),
        'kernel: sandboxes share this machine’s',
      ],
    }
  }
  const files = 'files: sandboxes cannot read each other’s folders nor the platform’s'
  return {
    name: 'process',
    isolated: [...users, ...(ownUsers ? [files] : []), ...limitedWords(host)],
    not_isolated: [
      `no sandboxing: sandboxes are ordinary processes, because ${host.isolation.reason}`,
      ownUsers
        ? 'files: sandboxes read whatever is open to every user of this machine'
        : 'files: sandboxes read and write whatever the platform’s user may, each other’s folders included',
      'processes: sandboxes see each other’s',
      ...(ownUsers
        ? []
        : ['processes: one that hides itself may outlive its sandbox, if the daemon dies first']),
      sharedNetwork,
      disk,
      ...unlimitedWords(host),
      ...noUsers,
    ],
  }
}

function networkWords(mode: Host['egress']['mode']): string {
  const beyond =
    mode === 'open'
      ? 'public addresses of the internet, through an HTTP proxy'
      : 'nothing else (SVC_SANDBOX_EGRESS)'
  return `network: each sandbox has its own, and reaches the platform’s API, its repository and ${beyond}`
}

/** Only what is limited for the sandbox as a whole counts as kept apart. */
function limitedWords(means: Means): readonly string[] {
  const limited = limitNames.filter((name) => isLimited(means, name))
  return limited.length === 0 ? [] : [`${limited.join(', ')}: limited for the sandbox as a whole`]
}

function unlimitedWords(means: Means): readonly string[] {
  return limitNames
    .filter((name) => !isLimited(means, name))
    .map((name) =>
      name === 'memory'
        ? 'memory: measured, not held: a sandbox that takes more than its limit is ended within seconds'
        : `${name}: not limited`,
    )
}

const limitNames = ['memory', 'pids', 'cpu'] as const

function isLimited(
  { cgroups, prlimit, counts_processes }: Means,
  name: (typeof limitNames)[number],
): boolean {
  return cgroups.controllers.has(name) || (name === 'pids' && prlimit !== null && counts_processes)
}

/** True when a provider's sandboxes share the machine's loopback, and so reach every program that listens there. */
export function sharesLoopback(provider: { describe(): ProviderDescription }): boolean {
  return provider.describe().not_isolated.some((words) => words.includes(sharedNetwork))
}
