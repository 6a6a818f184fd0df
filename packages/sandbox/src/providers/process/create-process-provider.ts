import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { CreatedSandbox, SandboxProvider, SandboxSpec } from '../../provider.ts'
import { noSuchSandbox, SandboxError, toSandboxError } from '../../sandbox-error.ts'
import { removeGroups } from './limits/cgroups.ts'
import { describeHost } from './describe-host.ts'
import { askToEnd, endProcesses } from './processes/end-processes.ts'
import { externalIdOf, isExternalId } from '../../shared/external-id.ts'
import { findRecord, listSandboxes, lockPath, runningOf } from './find-sandboxes.ts'
import { type Host, openHost, type ProcessProviderOptions } from './host.ts'
import { withLock } from '../../shared/lock.ts'
import { makeSandbox, removeSandbox } from './make-sandbox.ts'
import { authorityText } from '../../network/authority.ts'
import { reachedBy } from '../../shared/reached.ts'
import { reachOf } from '../../network/reach.ts'
import { requireTemplate, withoutImages } from '../../shared/template-refusal.ts'
import { loopbackTargets } from './network/own-network.ts'
import { openRelay } from './network/relay.ts'
import { newSocketPath } from '../../network/unix-sockets.ts'
import { sandboxPaths } from './paths.ts'
import { type SandboxRecord, writeRecord } from './record.ts'
import { endpointOf, exitReportOf, statusOf } from './sandbox-state.ts'
import { removeTree } from './files/remove-tree.ts'
import { startSandbox } from './start-sandbox.ts'
import { requireAppd } from '../../shared/tools/tools.ts'
import { keepTools, removeOldTools } from '../../shared/tools/old-tools.ts'
import { watchSandboxes } from './limits/watch-sandboxes.ts'

/**
 * Sandboxes as processes of this machine. Everything is on disk: any process with the same root and scope manages
 * them, and the sandboxes of a killed platform are the next one's.
 */
export async function createProcessProvider(options: ProcessProviderOptions): Promise<SandboxProvider> {
  const host = await openHost(options)
  await sweepTrash(host)
  const relay = host.relay_folder === null ? null : await openWayOut(host, host.relay_folder)
  const watch = watchSandboxes(host)
  const releaseTools = keepTools(host.tools)
  await removeOldTools(host.tools)
  const forced = new AbortController()
  const find = (external_id: string) => findRecord(host, external_id)
  const pathsOf = (external_id: string) => sandboxPaths(host.paths.root, external_id)

  const name = host.isolation.kind === 'bubblewrap' ? 'bubblewrap' : 'process'
  const provider: SandboxProvider = {
    name,
    describe: () => describeHost(host),
    runs: { processes: true, images: false, dockerfiles: false },
    harnesses: () => 'store',
    identify: (sandbox_id) => externalIdOf(host.key, host.scope, sandbox_id),
    refusal: (template) => withoutImages(name, template),
    create: (spec, signal) =>
      guarded('Creating a sandbox', async () => {
        requireTemplate(provider, spec.template)
        if (spec.workload === 'program') requireAppd(options.tools)
        return create(host, spec, signal)
      }),
    start: (external_id, environment) =>
      locked(host, external_id, 'Starting a sandbox', async () => {
        const record = await find(external_id)
        if (record === null) throw noSuchSandbox(external_id)
        return { endpoint: endpointOf(await resume(host, record, environment), host.paths.root) }
      }),
    stop: (external_id) =>
      locked(host, external_id, 'Stopping a sandbox', async () => {
        const record = await find(external_id)
        if (record !== null) await stop(host, record, forced.signal)
      }),
    destroy: (external_id) =>
      locked(host, external_id, 'Removing a sandbox', async () => {
        const record = await find(external_id)
        if (record === null) return
        await endProcesses(record, pathsOf(external_id))
        await removeGroups(host.cgroups, external_id)
        await removeSandbox(host, record)
      }),
    status: async (external_id) => {
      try {
        const record = await find(external_id)
        return record === null ? 'removed' : await statusOf(record, pathsOf(external_id))
      } catch (error) {
        host.log('warn', 'a sandbox cannot be looked at', { external_id, error: String(error) })
        return 'unknown'
      }
    },
    endpoint: async (external_id) => {
      const record = await find(external_id)
      if (record === null || (await statusOf(record, pathsOf(external_id))) !== 'running') return null
      return endpointOf(record, host.paths.root)
    },
    touch: async (external_id) => {
      if ((await find(external_id)) === null) throw noSuchSandbox(external_id)
      const now = new Date()
      await utimes(pathsOf(external_id).state, now, now)
    },
    adopt: (external_id, environment) =>
      locked(host, external_id, 'Handing a sandbox over', async () => {
        const record = await find(external_id)
        if (record === null) throw noSuchSandbox(external_id)
        await adopt(host, record, environment)
      }),
    environment: async (external_id) => (await find(external_id))?.environment ?? null,
    exitReport: async (external_id) => {
      const record = await find(external_id)
      return record === null ? { exit: null, output: '' } : exitReportOf(record, pathsOf(external_id))
    },
    list: () => listSandboxes(host),
    running: (external_ids) => runningOf(host, external_ids),
    close: async ({ stop_sandboxes, force }) => {
      // Stops that others began are to be quick as well.
      const beQuick = () => forced.abort()
      force?.addEventListener('abort', beQuick, { once: true })
      if (force?.aborted) beQuick()
      releaseTools()
      const stopAll = async () => {
        await Promise.all((await listSandboxes(host)).map((external_id) => provider.stop(external_id)))
      }
      await Promise.all([watch.close(), stop_sandboxes ? stopAll() : undefined])
      await relay?.close(force)
      force?.removeEventListener('abort', beQuick)
    },
  }
  return provider
}

/** Sandboxes of every process of this deployment may come to this one's relay. */
function openWayOut(host: Host, folder: string) {
  return openRelay({
    path: newSocketPath(folder),
    egress: host.egress,
    reachOf: async (external_id) => {
      const record = await findRecord(host, external_id)
      return record === null ? null : reachOf(reachedBy(record, host.api_url))
    },
  })
}

async function create(host: Host, spec: SandboxSpec, signal?: AbortSignal): Promise<CreatedSandbox> {
  const external_id = externalIdOf(host.key, host.scope, spec.sandbox_id)
  return withLock(lockPath(host, external_id), async () => {
    signal?.throwIfAborted()
    const known = await findRecord(host, external_id)
    const record = known ?? (await makeSandbox(host, external_id, spec))
    signal?.throwIfAborted()
    const started =
      known === null ? await startSandbox(host, record, 'new') : await resume(host, record, spec.environment)
    return { external_id, endpoint: endpointOf(started, host.paths.root) }
  })
}

/**
 * A sandbox that runs keeps the environment it has; the given one waits for its next start. The caller holds its lock, so
 * no other caller is about to let a process go that has not begun.
 */
async function resume(
  host: Host,
  record: SandboxRecord,
  environment: Readonly<Record<string, string>> = record.environment,
): Promise<SandboxRecord> {
  const paths = sandboxPaths(host.paths.root, record.external_id)
  const renewed = { ...record, environment: { ...environment } }
  const { run } = record
  const isUp = run.status === 'started' && run.begun && (await statusOf(record, paths)) === 'running'
  if (!isUp) return startSandbox(host, renewed)
  await writeRecord(paths.state, renewed)
  return record
}

/** Gives a running sandbox a new environment. The addresses that it relays to the platform were settled at its start. */
async function adopt(
  host: Host,
  record: SandboxRecord,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const paths = sandboxPaths(host.paths.root, record.external_id)
  const targetsOf = (given: Readonly<Record<string, string>>) =>
    loopbackTargets({ SVC_API_URL: host.api_url, ...given }).map(authorityText)
  const open = new Set(targetsOf(record.environment))
  if (record.network === 'own' && !targetsOf(environment).every((target) => open.has(target))) {
    throw new SandboxError('internal', 'This sandbox was made for a platform at another address.')
  }
  if ((await statusOf(record, paths)) !== 'running') throw noSuchSandbox(record.external_id)
  await writeRecord(paths.state, { ...record, environment: { ...environment } })
}

async function stop(host: Host, record: SandboxRecord, force: AbortSignal): Promise<void> {
  const paths = sandboxPaths(host.paths.root, record.external_id)
  const ran = (await statusOf(record, paths)) === 'running'
  const before = ran ? await askToEnd(record, paths, host.grace_ms, force) : []
  await endProcesses(record, paths, before)
  await removeGroups(host.cgroups, record.external_id)
  /** A sandbox that ended by itself keeps its exit report. */
  if (ran) await writeRecord(paths.state, { ...record, run: { status: 'stopped' } })
}

function locked<T>(host: Host, externalId: string, operation: string, work: () => Promise<T>): Promise<T> {
  return guarded(operation, () => {
    /** An id that is not ours names no lock file either. */
    return isExternalId(externalId) ? withLock(lockPath(host, externalId), work) : work()
  })
}

async function guarded<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
    throw toSandboxError(error, operation)
  }
}

async function sweepTrash(host: Host): Promise<void> {
  for (const name of await readdir(host.paths.trash)) {
    await removeTree(join(host.paths.trash, name))
  }
}
