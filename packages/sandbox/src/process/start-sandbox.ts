import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SandboxError, toSandboxError } from '../sandbox-error.ts'
import { limitProcesses } from './cgroups.ts'
import { arePortsFree, claimPorts, type Ports, releaseClaims } from './claims.ts'
import { bubblewrapCommand, limitPrefix, plainCommand } from './commands.ts'
import { endProcesses, readStatus } from './end-processes.ts'
import { mountedPlaces, sandboxEnvironment } from './environment.ts'
import type { Host } from './host.ts'
import { launch, type LaunchCommand, type Launched } from './launch.ts'
import { tailOf } from './output-log.ts'
import { type SandboxPaths, sandboxPaths } from './paths.ts'
import { identify, type ProcessIdentity } from './process-table.ts'
import { type SandboxRecord, writeRecord } from './record.ts'
import { writeEtcFiles } from './system-layout.ts'

/**
 * Starts a sandbox that does not run; the caller holds its lock. Nothing of the sandbox runs before its process is on
 * record, so a platform killed at any line leaves nothing that the next one cannot find.
 */
export async function startSandbox(host: Host, stopped: SandboxRecord): Promise<SandboxRecord> {
  const paths = sandboxPaths(host.paths.root, stopped.external_id)
  await endProcesses(stopped, paths)
  const record: SandboxRecord = { ...stopped, ...(await portsFor(host, stopped)), run: { status: 'stopped' } }
  await writeRecord(paths.state, record)
  const files = await openFiles(paths, record.uid)
  let begun = record
  try {
    const command = await commandFor(host, record, paths)
    const launched = await launch(command, { output: files.output.fd, status: files.status.fd }, record.uid)
    const outer = await identify(launched.pid)
    if (outer === null) throw await failedStart(paths)
    begun = { ...record, run: { status: 'started', outer, inner: null } }
    await writeRecord(paths.state, begun)
    if (host.isolation.kind === 'bubblewrap') {
      begun = { ...record, run: { status: 'started', outer, inner: await awaitInner(launched, paths) } }
      await writeRecord(paths.state, begun)
    }
    await limitProcesses(host.cgroups, record.external_id, record.limits, pidsOf(begun))
    launched.open()
    return begun
  } catch (error) {
    await endProcesses(begun, paths)
    /** If that fails as well, the record names dead processes, which counts as stopped. */
    await writeRecord(paths.state, record).catch(() => undefined)
    throw toSandboxError(error, 'Starting the sandbox')
  } finally {
    await Promise.all([files.output.close(), files.status.close()])
  }
}

function pidsOf({ run }: SandboxRecord): readonly number[] {
  if (run.status === 'stopped') return []
  return run.inner === null ? [run.outer.pid] : [run.outer.pid, run.inner.pid]
}

/** The usual ports of the sandbox's own address, unless something else on the machine has taken them meanwhile. */
async function portsFor(host: Host, record: SandboxRecord): Promise<Ports> {
  const { address, service_port, runtime_port } = record
  if (await arePortsFree({ address, service_port, runtime_port }))
    return { address, service_port, runtime_port }
  const ports = await claimPorts(host.paths.claims, record.external_id)
  if (ports.address !== address) await releaseClaims(host.paths.claims, [`address-${address}`])
  return ports
}

/** What an earlier run printed is gone. The sandbox's user owns what it prints to, so that a program may open /dev/stdout; it cannot replace the file. */
async function openFiles(
  paths: SandboxPaths,
  uid: number | null,
): Promise<{ output: FileHandle; status: FileHandle }> {
  await rm(paths.status, { force: true })
  const output = await open(paths.output, 'a', 0o600)
  await output.truncate(0)
  const status = await open(paths.status, 'ax', 0o600)
  if (uid !== null) await output.chown(uid, uid)
  return { output, status }
}

async function commandFor(host: Host, record: SandboxRecord, paths: SandboxPaths): Promise<LaunchCommand> {
  const limits = limitPrefix(host, record.limits)
  if (host.isolation.kind === 'none') {
    const { workspace, home, run } = paths
    const places = { workspace, home, run, temporary: join(run, 'tmp'), tools: host.tools }
    return plainCommand(host.tools, workspace, sandboxEnvironment(record, places, host.api_url), limits)
  }
  const { program, layout, forbid_user_namespaces } = host.isolation
  return bubblewrapCommand(
    program,
    {
      mounts: { layout, tools: host.tools, ...paths, etc_files: await writeEtcFiles(paths.etc) },
      environment: sandboxEnvironment(record, mountedPlaces, host.api_url),
      forbid_user_namespaces,
    },
    limits,
  )
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
