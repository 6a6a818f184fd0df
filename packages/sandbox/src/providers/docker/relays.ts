import { readDockerRecord } from './record.ts'
import type { DockerHost } from './docker-host.ts'
import { dockerPaths } from './paths.ts'
import { reachedBy } from '../../shared/reached.ts'
import { filesFolder } from '../../engine/image-files.ts'
import {
  inImage,
  mountedPlaces,
  programSandboxEnvironment,
  sandboxEnvironment,
} from '../../shared/environment.ts'
import { daemonAddress, forwardsOf } from './relay/forwards.ts'
import { dial } from '../../network/dial.ts'
import { destinationsOf, reachOf } from '../../network/reach.ts'
import { proxyEnvironment, proxyPort } from '../../network/proxy-environment.ts'
import { isServed } from '../../network/unix-sockets.ts'
import { type HostRelay, openHostRelay } from './relay/host-relay.ts'
import type { Boot } from './guest/fetch-boot.ts'
import { daemonPorts, programPorts } from '../../shared/daemon-ports.ts'
import { withLock } from '../../shared/lock.ts'
import { join } from 'node:path'
import type { DockerRecord } from './record.ts'

const proxyAt = { address: '127.0.0.3', port: proxyPort }
/** A port of a program's own could not be listened on at all addresses if the proxy had it. */
const programProxyAt = { ...proxyAt, port: programPorts.runtime_port }
const frontsMount = '/run/svc-platform/f'

/** The ways in and out of the sandboxes that this process serves. */
export interface Relays {
  /** Serves the sandbox, unless another process of the platform does. */
  ensure(external_id: string): Promise<void>
  /** The sandbox starts: it may ask for its environment once more. */
  begin(external_id: string): Promise<void>
  /** Ends its relay and forgets the sandbox, while no other can be opened in its folder. */
  remove(external_id: string, forget: () => Promise<void>): Promise<void>
  /** As a SocketServer's. */
  close(force?: AbortSignal): Promise<void>
}

/** The parts of a host that its relays need. */
interface RelayHost {
  readonly paths: Pick<DockerHost['paths'], 'root' | 'locks'>
  readonly egress: DockerHost['egress']
  readonly options: Pick<DockerHost['options'], 'api_url'>
}

export function createRelays(host: RelayHost): Relays {
  const open = new Map<string, HostRelay>()
  const booted = new Set<string>()

  const serve = async (external_id: string): Promise<HostRelay> => {
    const paths = dockerPaths(host.paths.root, external_id)
    return openHostRelay({
      paths,
      boot: async () => {
        if (booted.has(external_id)) return null
        const record = await readDockerRecord(paths.state)
        if (record === null) return null
        booted.add(external_id)
        return bootOf(host, record)
      },
      dial: async (wanted) => {
        const record = await readDockerRecord(paths.state)
        const { workload = 'session', environment = {} } = record ?? {}
        return dial(host.egress, reachOf(reachedBy({ workload, environment }, host.options.api_url)), wanted)
      },
    })
  }
  const drop = async (external_id: string, force?: AbortSignal): Promise<void> => {
    const relay = open.get(external_id)
    open.delete(external_id)
    booted.delete(external_id)
    await relay?.close(force)
  }
  /** Two processes that find a sandbox unserved must not take each other's socket. */
  const alone = <T>(external_id: string, work: () => Promise<T>): Promise<T> =>
    withLock(join(host.paths.locks, `relay-${external_id}`), work)
  const ensure = (external_id: string): Promise<void> =>
    alone(external_id, async () => {
      const paths = dockerPaths(host.paths.root, external_id)
      // It was removed since it was found.
      if ((await readDockerRecord(paths.state)) === null) return
      const mine = open.get(external_id)
      if (mine !== undefined) {
        if (await mine.isCurrent()) return
        await drop(external_id)
      }
      if (await isServed(paths.inward)) return
      open.set(external_id, await serve(external_id))
    })
  return {
    ensure,
    begin: async (external_id) => {
      booted.delete(external_id)
      await ensure(external_id)
    },
    remove: (external_id, forget) =>
      alone(external_id, async () => {
        await drop(external_id)
        await forget()
      }),
    close: async (force) => {
      await Promise.all([...open.keys()].map((external_id) => drop(external_id, force)))
    },
  }
}

function bootOf(host: RelayHost, record: DockerRecord): Boot {
  if (record.workload === 'program') return programBootOf(host, record)
  const destinations = destinationsOf(reachedBy(record, host.options.api_url))
  const forwards = forwardsOf(destinations, record.hosts)
  const address = daemonAddress(forwards, Object.values(daemonPorts))
  const proxy = host.egress.mode === 'open' ? proxyAt : null
  // The image's own PATH stays.
  const { PATH: _, ...environment } = sandboxEnvironment(
    { ...record, ...daemonPorts, address },
    mountedPlaces,
    host.options.api_url,
    proxy === null
      ? {}
      : proxyEnvironment({ host: proxy.address, port: proxy.port }, Object.keys(record.hosts)),
  )
  return {
    environment,
    forwards,
    proxy,
    daemon: { address, port: daemonPorts.service_port },
    entrypoint: record.entrypoint,
    fronts: null,
  }
}

function programBootOf(host: RelayHost, record: DockerRecord): Boot {
  const proxy = host.egress.mode === 'open' ? programProxyAt : null
  const address = '127.0.0.1'
  const port = programPorts.service_port
  const network = {
    kind: 'own',
    variables: proxy === null ? {} : proxyEnvironment({ host: proxy.address, port: proxy.port }, []),
  } as const
  const places = record.image_program === null ? mountedPlaces : { ...mountedPlaces, workspace: filesFolder }
  // The image's own PATH stays.
  const { PATH: _, ...environment } = programSandboxEnvironment(
    { ...record, service_port: port, address },
    places,
    network,
  )
  return {
    environment: record.image_program === null ? environment : inImage(environment, record.image_program),
    ...{ forwards: [], proxy, daemon: { address, port }, entrypoint: null, fronts: frontsMount },
  }
}
