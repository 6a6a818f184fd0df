import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxLimits } from '../../provider.ts'
import { SandboxError, toSandboxError } from '../../sandbox-error.ts'
import { joinGroups, makeGroups } from './limits/cgroups.ts'
import { bubblewrapCommand, limitPrefix, plainCommand } from './bubblewrap/commands.ts'
import { endProcesses, readStatus } from './processes/end-processes.ts'
import {
  mountedPlaces,
  type Places,
  programSandboxEnvironment,
  sandboxEnvironment,
} from '../../shared/environment.ts'
import { appdCommand } from '../../shared/tools/tools.ts'
import type { Host } from './host.ts'
import { launch, type LaunchCommand, type Launched, listenFd } from './processes/launch.ts'
import { type Listener, openListener } from './network/listener.ts'
import { networkOf } from './network/network-of.ts'
import { networkEnvironment } from './network/own-network.ts'
import { tailOf } from './files/output-log.ts'
import { daemonSocket, type SandboxPaths, sandboxPaths } from './paths.ts'
import { identify, type ProcessIdentity } from '@svc/files'
import { type SandboxRecord, writeRecord } from './record.ts'
import { writeEtcFiles } from './bubblewrap/system-layout.ts'
import { reachedBy } from '../../shared/reached.ts'
import { harnessStore } from '../../harness/store/places.ts'

/**
 * Starts a sandbox that does not run; the caller holds its lock. Nothing of the sandbox runs before its process is on
 * record, so a platform killed at any line leaves nothing that the next one cannot find.
 */
export async function startSandbox(
  host: Host,
  stopped: SandboxRecord,
  age: 'new' | 'used' = 'used',
): Promise<SandboxRecord> {
  const paths = sandboxPaths(host.paths.root, stopped.external_id)
  // A sandbox that was made a moment ago, under the same lock, has a true record and no process to end.
  const record = age === 'new' ? stopped : await tidied(host, stopped, paths)
  const files = await openFiles(host, record, paths)
  let started = record
  try {
    const [command, groups] = await Promise.all([
      commandFor(host, record, paths),
      makeGroups(host.cgroups, record.external_id, limitsOf(host, record)),
    ])
    const { output, status, listener } = files
    const fds = { output: output.fd, status: status.fd, listener: listener?.fd ?? null }
    const launched = await launch(command, fds, record.uid)
    listener?.handOver()
    const outer = await identify(launched.pid)
    if (outer === null) throw await failedStart(paths)
    started = { ...record, run: { status: 'started', outer, inner: null, begun: false } }
    await Promise.all([writeRecord(paths.state, started), joinGroups(groups, outer.pid)])
    launched.begin()
    const inner = host.isolation.kind === 'bubblewrap' ? await awaitInner(launched, paths) : null
    started = { ...record, run: { status: 'started', outer, inner, begun: true } }
    await writeRecord(paths.state, started)
    launched.open()
    return started
  } catch (error) {
    await endProcesses(started, paths)
    /** If that fails as well, the record names dead processes, which counts as stopped. */
    await writeRecord(paths.state, record).catch(() => undefined)
    throw toSandboxError(error, 'Starting the sandbox')
  } finally {
    files.listener?.close()
    await Promise.all([files.output.close(), files.status.close()])
  }
}

/** Ends the processes that an earlier run left, and says so in the record. */
async function tidied(host: Host, stopped: SandboxRecord, paths: SandboxPaths): Promise<SandboxRecord> {
  await endProcesses(stopped, paths)
  const record: SandboxRecord = {
    ...stopped,
    ...(await networkOf(host, stopped, stopped)),
    run: { status: 'stopped' },
    ended_because: null,
  }
  await writeRecord(paths.state, record)
  return record
}

function limitsOf(host: Host, { limits }: SandboxRecord): SandboxLimits {
  return { ...host.default_limits, ...limits }
}

/**
 * Opens the files of a run, without an earlier run's output. The sandbox's user owns the output file, so that a program
 * may open /dev/stdout; it cannot replace the file.
 */
async function openFiles(
  host: Host,
  { external_id, network, uid }: SandboxRecord,
  paths: SandboxPaths,
): Promise<{ output: FileHandle; status: FileHandle; listener: Listener | null }> {
  await rm(paths.status, { force: true })
  const output = await open(paths.output, 'a', 0o600)
  await output.truncate(0)
  const status = await open(paths.status, 'ax', 0o600)
  if (uid !== null) await output.chown(uid, uid)
  const socket = daemonSocket(host.paths.root, external_id)
  return { output, status, listener: network === 'own' ? await openListener(socket) : null }
}

async function commandFor(host: Host, record: SandboxRecord, paths: SandboxPaths): Promise<LaunchCommand> {
  const limits = limitPrefix(host, limitsOf(host, record))
  const harnesses = harnessStore(host.paths.root)
  if (host.isolation.kind === 'none') {
    const { workspace, home, run } = paths
    const places = { workspace, home, run, temporary: join(run, 'tmp'), tools: host.tools, harnesses }
    return plainCommand(host.tools, workspace, environmentOf(host, record, places), limits, firstOf(record))
  }
  const { program, layout, forbid_user_namespaces, own_network, seccomp } = host.isolation
  const etc_files = await writeEtcFiles(paths.etc, own_network)
  const network = own_network
    ? networkEnvironment(reachedBy(record, host.api_url), listenFd, record.workload)
    : {}
  return bubblewrapCommand(
    program,
    {
      mounts: {
        ...{ layout, tools: host.tools, harnesses },
        ...{ ...paths, etc_files, relay: host.relay_folder },
      },
      environment: environmentOf(host, record, mountedPlaces, network),
      forbid_user_namespaces,
      own_network,
    },
    limits,
    seccomp,
    firstOf(record),
  )
}

function environmentOf(
  host: Host,
  record: SandboxRecord,
  places: Places,
  network: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  if (record.workload === 'session') return sandboxEnvironment(record, places, host.api_url, network)
  return programSandboxEnvironment(record, places, { kind: record.network, variables: network })
}

/** The command that the entrypoint becomes, beside the daemon. */
function firstOf({ workload }: SandboxRecord): readonly string[] {
  return workload === 'session' ? [] : [appdCommand]
}

/** bubblewrap names the first process of the new pid namespace, which waits at the gate. */
async function awaitInner(launched: Launched, paths: SandboxPaths): Promise<ProcessIdentity> {
  let ended = false
  void launched.ended.then(() => (ended = true))
  for (;;) {
    const { child_pid } = await readStatus(paths)
    const inner = child_pid === null ? null : await identify(child_pid)
    if (inner !== null) return inner
    if (ended) throw await failedStart(paths)
    await sleep(2)
  }
}

async function failedStart(paths: SandboxPaths): Promise<SandboxError> {
  const output = (await tailOf(paths.output)).trim()
  return new SandboxError('internal', `The sandbox ended before its first command: ${output}`, {
    retryable: true,
  })
}
