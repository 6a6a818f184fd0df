import { randomInt } from 'node:crypto'
import { connect, type NetConnectOpts } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Authority, authorityText } from '../src/network/authority.ts'
import { dial } from '../src/network/dial.ts'
import type { Egress } from '../src/network/egress.ts'
import { reachOf } from '../src/network/reach.ts'
import { readLine } from '../src/network/read-line.ts'
import { openProxy } from '../src/providers/docker/guest/proxy.ts'
import { dockerPaths } from '../src/providers/docker/paths.ts'
import { openHostRelay } from '../src/providers/docker/relay/host-relay.ts'
import { repositoryPolicy } from '../src/providers/kubernetes/manifests/repository-policy.ts'
import { deploymentPolicy } from '../src/providers/kubernetes/steps/ensure-policies.ts'
import { createMemoryProvider } from '../src/providers/memory/memory-provider.ts'
import { openRelay } from '../src/providers/process/network/relay.ts'
import { environment } from './egress-table.ts'
import { policiesAllow } from './kubernetes/policy-allows.ts'

/** A sandbox's way out, as something that leads to targets or does not. */
export interface Path {
  reaches(target: Authority): Promise<boolean>
  close(): Promise<void>
}

/** Opens a way out whose sockets are in the folder. */
export type OpenPath = (folder: string, egress: Egress) => Promise<Path>

async function firstLine(to: NetConnectOpts, text: string): Promise<string> {
  const socket = connect(to)
  socket.on('error', () => undefined).write(text)
  const line = await readLine(socket)
  socket.destroy()
  return (line ?? '').trim()
}

/** The requests of a proxy's client, and what it hears where there is a way. */
const asked = {
  CONNECT: {
    text: (target: string) => `CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\n`,
    open: 'HTTP/1.1 200 Connection established',
  },
  GET: {
    text: (target: string) => `GET http://${target}/ HTTP/1.1\r\nhost: x\r\n\r\n`,
    open: 'HTTP/1.1 204 No Content',
  },
} as const

async function isOpen(
  to: NetConnectOpts,
  opening: string,
  by: keyof typeof asked,
  target: Authority,
): Promise<boolean> {
  const line = await firstLine(to, opening + asked[by].text(authorityText(target)))
  expect([asked[by].open, 'HTTP/1.1 403 Refused', 'HTTP/1.1 403 Forbidden']).toContain(line)
  return line === asked[by].open
}

const processPath =
  (reaches: (path: string, target: Authority) => Promise<boolean>): OpenPath =>
  async (folder, egress) => {
    const path = join(folder, 'process')
    const relay = await openRelay({ path, egress, reachOf: async () => reachOf(environment) })
    return { reaches: (target) => reaches(path, target), close: () => relay.close() }
  }

const dockerPath =
  (reaches: (relay: string, target: Authority) => Promise<boolean>): OpenPath =>
  async (folder, egress) => {
    const paths = dockerPaths(folder, 'docker')
    const relay = await openHostRelay({
      paths,
      boot: async () => null,
      dial: (target) => dial(egress, reachOf(environment), target),
    })
    return { reaches: (target) => reaches(paths.relay, target), close: () => relay.close() }
  }

const guestProxies = new Map<string, Promise<NetConnectOpts>>()

/** A container's own proxy, which asks at the relay for each of its programs' requests. */
function guestProxy(relay: string): Promise<NetConnectOpts> {
  const open = async () => {
    const address = `127.${[0, 0, 0].map(() => randomInt(1, 255)).join('.')}`
    await openProxy(relay, { address, port: 3128 }, 0)
    return { host: address, port: 3128 }
  }
  const opened = guestProxies.get(relay) ?? open()
  guestProxies.set(relay, opened)
  return opened
}

export const paths: Readonly<Record<string, OpenPath>> = {
  'a process’s CONNECT': processPath((path, target) => isOpen({ path }, 'sbx proxy\n', 'CONNECT', target)),
  'a process’s request': processPath((path, target) => isOpen({ path }, 'sbx proxy\n', 'GET', target)),
  'a process’s relay': processPath(async (path, target) => {
    const line = await firstLine({ path }, `sbx ${authorityText(target)}\nx`)
    expect(['', asked.GET.open]).toContain(line)
    return line !== ''
  }),
  'a container’s CONNECT': dockerPath(async (relay, target) =>
    isOpen(await guestProxy(relay), '', 'CONNECT', target),
  ),
  'a container’s request': dockerPath(async (relay, target) =>
    isOpen(await guestProxy(relay), '', 'GET', target),
  ),
  'a container’s relay': dockerPath(async (path, target) => {
    const line = await firstLine({ path }, `to ${authorityText(target)}\n`)
    expect(line).toMatch(/^(ok$|no )/)
    return line === 'ok'
  }),
  'a pod’s policies': async (_, egress) => {
    const claim = { metadata: { name: 'sbx', uid: 'uid' } }
    const options = { deployment: 'here', platform: ['svc'], platform_ports: [7700], egress }
    const policies = [await deploymentPolicy(options), await repositoryPolicy(options, claim, environment)]
    return {
      reaches: async ({ host, port }) => policiesAllow(policies, host, port),
      close: async () => undefined,
    }
  },
  'the provider in memory': async (_, egress) => {
    const provider = createMemoryProvider({ egress })
    const { external_id } = await provider.create({ sandbox_id: 'one', environment })
    return {
      reaches: (target) => provider.reaches(external_id, target),
      close: () => provider.close({ stop_sandboxes: true }),
    }
  },
}
