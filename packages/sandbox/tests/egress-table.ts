import { type Authority, authorityText } from '../src/network/authority.ts'
import { type Egress, judge } from '../src/network/egress.ts'
import { reachOf } from '../src/network/reach.ts'

export const environment = {
  SVC_API_URL: 'http://127.0.0.1:7700/v1',
  SVC_REPO_URL: 'http://10.1.2.3:3000/team/app.git',
}

/** Everything that a policy can tell apart: open ones, closed ones, and the edges of ranges. */
const addresses = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '172.32.0.1', '192.0.1.1', '223.255.255.255'],
  ...['0.0.0.0', '10.0.0.1', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1'],
  ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['2606:4700::1111', '2a00:1450::1', '2000::1', '3ffe::1'],
  ...['::1', '100::1', '400::1', '64:ff9b::1', '64:ff9b:1::1', '2001::1', '2001:db8::1', '2002:7f00:1::'],
  ...[
    '3fff::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ],
]

export const targets: readonly Authority[] = addresses.flatMap((host) =>
  [443, 3000, 5432].map((port) => ({ host, port })),
)

export const settings: Readonly<Record<string, Egress>> = {
  open: { mode: 'open', forbidden_urls: [], private_repositories: false },
  'open, with a database at a public address': {
    mode: 'open',
    forbidden_urls: ['postgres://u:p@8.8.8.8:5432/svc', 'redis://[2606:4700::1111]:3000'],
    private_repositories: false,
  },
  'open, with repositories at private addresses': {
    mode: 'open',
    forbidden_urls: [],
    private_repositories: true,
  },
  platform: { mode: 'platform', forbidden_urls: [], private_repositories: false },
  'platform, with repositories at private addresses': {
    mode: 'platform',
    forbidden_urls: [],
    private_repositories: true,
  },
}

/** The targets that a sandbox with the environment above is to reach, by the rule itself. */
export async function openTargets(egress: Egress): Promise<readonly string[]> {
  const open: string[] = []
  for (const target of targets)
    if ((await judge(target, reachOf(environment), egress)).allowed) open.push(authorityText(target))
  return open
}
