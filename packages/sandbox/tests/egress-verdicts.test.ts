import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dockerPaths } from '../src/providers/docker/paths.ts'
import { openHostRelay } from '../src/providers/docker/relay/host-relay.ts'
import { deploymentPolicy } from '../src/providers/kubernetes/steps/ensure-policies.ts'
import { repositoryPolicy } from '../src/providers/kubernetes/manifests/repository-policy.ts'
import { createMemoryProvider } from '../src/providers/memory/memory-provider.ts'
import { openRelay } from '../src/providers/process/network/relay.ts'
import { type Authority, authorityText } from '../src/network/authority.ts'
import { dial } from '../src/network/dial.ts'
import type { Egress } from '../src/network/egress.ts'
import { reachOf } from '../src/network/reach.ts'
import { readLine } from '../src/network/read-line.ts'
import { policiesAllow } from './kubernetes/policy-allows.ts'

const environment = {
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
const ports = [443, 3000, 5432]

const settings: Readonly<Record<string, Egress>> = {
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

let folder: string
/** Stands for whatever is out there: a socket to it is a connection that was let through. */
let outside: Server

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-egress-'))
  outside = createServer((socket) => socket.resume().on('error', () => undefined))
  outside.listen(join(folder, 'outside'))
  await once(outside, 'listening')
})

afterAll(async () => {
  outside.close()
  await rm(folder, { recursive: true, force: true })
})

async function firstLine(path: string, text: string): Promise<string> {
  const socket = connect(path)
  socket.on('error', () => undefined).write(text)
  const line = await readLine(socket)
  socket.destroy()
  return line ?? ''
}

interface Judge {
  reaches(target: Authority): Promise<boolean>
  close(): Promise<void>
}

const judges: Readonly<Record<string, (egress: Egress) => Promise<Judge>>> = {
  process: async (egress) => {
    const path = join(folder, 'process')
    const relay = await openRelay({ path, egress, reachOf: async () => reachOf(environment) })
    return {
      reaches: async (target) => {
        const request = `CONNECT ${authorityText(target)} HTTP/1.1\r\nhost: outside\r\n\r\n`
        const status = await firstLine(path, `sbx proxy\n${request}`)
        expect(status).toMatch(/^HTTP\/1.1 (200|403) /)
        return status.includes(' 200 ')
      },
      close: () => relay.close(),
    }
  },
  docker: async (egress) => {
    const paths = dockerPaths(folder, 'docker')
    const relay = await openHostRelay({
      paths,
      boot: async () => null,
      dial: (target) => dial(egress, reachOf(environment), target),
    })
    return {
      reaches: async (target) => {
        const answer = await firstLine(paths.relay, `to ${authorityText(target)}\n`)
        expect(answer).toMatch(/^(ok$|no )/)
        return answer === 'ok'
      },
      close: () => relay.close(),
    }
  },
  kubernetes: async (egress) => {
    const claim = { metadata: { name: 'sbx', uid: 'uid' } }
    const options = { deployment: 'here', platform: ['svc'], platform_ports: [7700], egress }
    const policies = [await deploymentPolicy(options), await repositoryPolicy(options, claim, environment)]
    return {
      reaches: async ({ host, port }) => policiesAllow(policies, host, port),
      close: async () => undefined,
    }
  },
  memory: async (egress) => {
    const provider = createMemoryProvider({ egress })
    const { external_id } = await provider.create({ sandbox_id: 'one', environment })
    return {
      reaches: (target) => provider.reaches(external_id, target),
      close: () => provider.close({ stop_sandboxes: true }),
    }
  },
}

async function verdicts(open: (egress: Egress) => Promise<Judge>, egress: Egress) {
  const judge = await open({ ...egress, connect: async () => connect(join(folder, 'outside')) })
  try {
    const reached: string[] = []
    for (const host of addresses)
      for (const port of ports)
        if (await judge.reaches({ host, port })) reached.push(authorityText({ host, port }))
    return reached
  } finally {
    await judge.close()
  }
}

describe.each(Object.entries(settings))('egress %s', (_, egress) => {
  test.each(Object.keys(judges).slice(1))('%s lets through what process does', async (name) => {
    const [first, other] = [judges['process'], judges[name]]
    if (first === undefined || other === undefined) throw new Error(name)
    expect(await verdicts(other, egress)).toEqual(await verdicts(first, egress))
  })
})

test('the table has what is let through and what is not', async () => {
  const [open, closed] = [settings['open'], settings['platform']]
  if (open === undefined || closed === undefined || judges['process'] === undefined)
    throw new Error('settings')
  const reached = await verdicts(judges['process'], open)
  expect(reached).toContain('8.8.8.8:5432')
  expect(reached).not.toContain('203.0.113.1:443')
  expect(await verdicts(judges['process'], closed)).toEqual([])
})
