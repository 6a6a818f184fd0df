import type { ProviderDescription } from '../provider.ts'
import type { Host } from './host.ts'

type Means = Pick<Host, 'uids' | 'prlimit' | 'cgroups'>

const network =
  'network: sandboxes share this machine’s network, reach the internet, each other’s ports and what listens on loopback'
const disk = 'disk: nothing limits how much a sandbox may write'

export function describeHost(host: Means & Pick<Host, 'isolation'>): ProviderDescription {
  const ownUsers = host.uids !== null
  const users = ownUsers ? ['users: each sandbox runs as an unprivileged user of its own'] : []
  const noUsers = ownUsers ? [] : ['users: sandboxes run as the platform’s own user']
  if (host.isolation.kind === 'bubblewrap') {
    return {
      name: 'bubblewrap',
      isolated: [
        'files: a sandbox sees its own folders and this machine’s programs, the latter read-only',
        'processes: a sandbox sees and signals only its own, without any capability',
        ...users,
        ...limitedWords(host),
      ],
      not_isolated: [network, disk, ...unlimitedWords(host), ...noUsers],
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
      network,
      disk,
      ...unlimitedWords(host),
      ...noUsers,
    ],
  }
}

/** Only what a control group limits for the sandbox as a whole counts as kept apart. */
function limitedWords({ cgroups }: Means): readonly string[] {
  const limited = [...cgroups.controllers.keys()]
  return limited.length === 0
    ? []
    : [`${limited.join(', ')}: limited for the sandbox as a whole, where limits are set`]
}

function unlimitedWords({ cgroups, prlimit, uids }: Means): readonly string[] {
  const missing = (['memory', 'pids', 'cpu'] as const).filter((name) => !cgroups.controllers.has(name))
  return missing.map((name) => {
    if (name === 'memory' && prlimit !== null)
      return 'memory: limited for each process, not for the sandbox as a whole'
    if (name === 'pids' && prlimit !== null && uids !== null)
      return 'pids: limited for each user, as the kernel counts'
    return `${name}: not limited`
  })
}
