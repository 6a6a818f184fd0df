import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isExternalId } from '../../shared/external-id.ts'
import { withLock } from '../../shared/lock.ts'
import type { SandboxEndpoint, SandboxProvider } from '../../provider.ts'
import { noSuchSandbox } from '../../sandbox-error.ts'
import { adopt } from './adopt.ts'
import {
  containerName,
  inspectContainer,
  listContainers,
  statusOfContainer,
} from './containers/containers.ts'
import { describeDocker } from './describe-docker.ts'
import { checkDisk } from './disk-watch.ts'
import { type DockerHost, openDockerHost } from './docker-host.ts'
import { isAway, statusCode, toEngineError } from '../../engine/engine-errors.ts'
import { frontsUrl } from '../../front/fronts-url.ts'
import { requireAppd } from '../../shared/tools/tools.ts'
import { dockerProgramImages } from './images/program-images.ts'
import { exitReportOf } from './containers/exit-report.ts'
import { ensureContainer, removeContainer } from './containers/make-container.ts'
import type { DockerProviderOptions } from './options.ts'
import { dockerEndpoint, dockerPaths } from './paths.ts'
import { type DockerRecord, readDockerRecord, writeDockerRecord } from './record.ts'
import { createRelays, type Relays } from './relays.ts'
import { startTidying } from './tidy.ts'
import { createWatch } from './watch.ts'

/**
 * Sandboxes as containers of a Docker engine on this machine. Records and sockets are on disk below `root`, so any
 * process with the same root and scope manages the same sandboxes; one of them at a time relays for each.
 */
export async function createDockerProvider(options: DockerProviderOptions): Promise<SandboxProvider> {
  const host = await openDockerHost(options)
  const relays = createRelays(host)
  const find = (external_id: string) => findRecord(host, external_id)
  const guarded = <T>(external_id: string, operation: string, work: () => Promise<T>): Promise<T> =>
    locked(host, external_id, operation, work)
  const watch = createWatch({
    every_ms: options.look_every_ms ?? 3_000,
    running: () => listContainers(host, ['running']),
    look: async (external_id) => {
      if ((await find(external_id)) === null) return
      await relays.ensure(external_id)
      await checkDisk(host, external_id, (work) => guarded(external_id, 'Ending a sandbox', work))
    },
    log: options.log,
  })
  await watch.look()
  const tidying = startTidying(host)

  const provider: SandboxProvider = {
    name: 'docker',
    describe: () => describeDocker(host),
    runs: { processes: true, images: true, dockerfiles: true },
    harnesses: () => 'store',
    refusal: () => null,
    identify: (sandbox_id) => host.externalId(sandbox_id),
    create: (spec, signal) => {
      const external_id = host.externalId(spec.sandbox_id)
      return guarded(external_id, 'Creating a sandbox', async () => {
        signal?.throwIfAborted()
        if (spec.workload === 'program') requireAppd(options.tools)
        const record = await ensureContainer(host, external_id, spec)
        signal?.throwIfAborted()
        return { external_id, endpoint: await resume(host, relays, record, spec.environment) }
      })
    },
    start: (external_id, environment) =>
      guarded(external_id, 'Starting a sandbox', async () => {
        const record = await find(external_id)
        if (record === null || (await inspectContainer(host, external_id)) === null)
          throw noSuchSandbox(external_id)
        return { endpoint: await resume(host, relays, record, environment) }
      }),
    stop: (external_id) =>
      guarded(external_id, 'Stopping a sandbox', async () => {
        const record = await find(external_id)
        if (record !== null) await stop(host, record)
      }),
    destroy: (external_id) =>
      guarded(external_id, 'Removing a sandbox', async () => {
        if ((await find(external_id)) === null) return
        await removeContainer(host, external_id)
        const { folder } = dockerPaths(host.paths.root, external_id)
        await relays.remove(external_id, () => rm(folder, { recursive: true, force: true }))
      }),
    status: async (external_id) => {
      try {
        if ((await find(external_id)) === null) return 'removed'
        return statusOfContainer(await inspectContainer(host, external_id))
      } catch (error) {
        options.log('warn', 'a sandbox cannot be looked at', { external_id, error: String(error) })
        return 'unknown'
      }
    },
    endpoint: async (external_id) => {
      if ((await find(external_id)) === null) return null
      const running = statusOfContainer(await inspectContainer(host, external_id)) === 'running'
      return running ? dockerEndpoint(host.paths.root, external_id) : null
    },
    front: async (external_id) => {
      const running = await provider.endpoint(external_id)
      return running === null ? null : { url: frontsUrl(dockerPaths(host.paths.root, external_id).fronts) }
    },
    images: dockerProgramImages(host),
    touch: async (external_id) => {
      if ((await find(external_id)) === null) throw noSuchSandbox(external_id)
    },
    adopt: (external_id, environment) =>
      guarded(external_id, 'Handing a sandbox over', async () => {
        const record = await find(external_id)
        if (record === null) throw noSuchSandbox(external_id)
        await adopt(host, record, environment)
      }),
    environment: async (external_id) => (await find(external_id))?.environment ?? null,
    exitReport: async (external_id) => {
      const record = await find(external_id)
      if (record === null) return { exit: null, output: '' }
      return exitReportOf(host, record, await inspectContainer(host, external_id))
    },
    list: () => listContainers(host),
    running: async () => new Set(await listContainers(host, ['running', 'paused', 'restarting'])),
    prepare: async (template) => void (await host.imageFor(template)),
    close: async ({ stop_sandboxes, force }) => {
      await Promise.all([watch.close(), tidying.close()])
      if (stop_sandboxes)
        await Promise.all((await listContainers(host)).map((external_id) => provider.stop(external_id)))
      await relays.close(force)
    },
  }
  return provider
}

/** A sandbox that runs keeps the environment it has; the given one waits for its next start. */
async function resume(
  host: DockerHost,
  relays: Relays,
  record: DockerRecord,
  environment: Readonly<Record<string, string>> = record.environment,
): Promise<SandboxEndpoint> {
  const { external_id } = record
  const paths = dockerPaths(host.paths.root, external_id)
  const renewed = { ...record, environment: { ...environment } }
  if (statusOfContainer(await inspectContainer(host, external_id)) === 'running') {
    await writeDockerRecord(paths.state, renewed)
    await relays.ensure(external_id)
    return dockerEndpoint(host.paths.root, external_id)
  }
  await writeDockerRecord(paths.state, { ...renewed, stop_asked: false, ended_because: null })
  await relays.begin(external_id)
  const container = host.engine.docker.getContainer(containerName(external_id))
  await host.engine.call('Starting a sandbox', (abortSignal) =>
    container.start({ abortSignal }).catch((error: unknown) => {
      // It runs already.
      if (statusCode(error) !== 304) throw error
    }),
  )
  return dockerEndpoint(host.paths.root, external_id)
}

/** Stops a running sandbox. One that ended by itself keeps its exit report. */
async function stop(host: DockerHost, record: DockerRecord): Promise<void> {
  const { external_id } = record
  if (statusOfContainer(await inspectContainer(host, external_id)) !== 'running') return
  await writeDockerRecord(dockerPaths(host.paths.root, external_id).state, { ...record, stop_asked: true })
  const seconds = Math.max(1, Math.round((host.options.grace_ms ?? 2_000) / 1000))
  const container = host.engine.docker.getContainer(containerName(external_id))
  await host.engine.find('Stopping a sandbox', (abortSignal) =>
    container.stop({ t: seconds, abortSignal }).catch((error: unknown) => {
      if (statusCode(error) !== 304) throw error
    }),
  )
}

async function findRecord(host: DockerHost, external_id: string): Promise<DockerRecord | null> {
  if (!isExternalId(external_id)) return null
  const record = await readDockerRecord(dockerPaths(host.paths.root, external_id).state)
  // The id is made of the scope, so another deployment's record in the same folder is not ours.
  return record !== null && host.externalId(record.sandbox_id) === external_id ? record : null
}

async function locked<T>(
  host: DockerHost,
  external_id: string,
  operation: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    // An id that is not ours names no lock file either.
    return isExternalId(external_id)
      ? await withLock(join(host.paths.locks, external_id), work)
      : await work()
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError' && !isAway(error.cause)) throw error
    throw toEngineError(error, operation)
  }
}
