import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { SandboxError } from '../../../sandbox-error.ts'
import { parseStatusReport, type StatusReport } from '../status-report.ts'
import { membersOf } from './members.ts'
import type { SandboxPaths } from '../paths.ts'
import { carriesMarker, listProcesses, sendSignal, signalProcess } from './process-table.ts'
import { identify, isAlive, type ProcessIdentity } from '@svc/files'
import type { SandboxRecord } from '../record.ts'

const rounds = 400

/**
 * Lets the daemon end by itself: asks the sandbox's first processes and waits for its exit status, at most `graceMs` and
 * until `force`.
 * Gives what ran before: a daemon that is gone no longer tells whose its orphans are.
 */
export async function askToEnd(
  record: SandboxRecord,
  paths: SandboxPaths,
  graceMs: number,
  force: AbortSignal,
): Promise<readonly ProcessIdentity[]> {
  const known = await knownProcesses(record, paths)
  const [first] = known
  if (first === undefined || !(await isAlive(first))) return []
  const members = await findMembers(record, known, new Set())
  const before = (await Promise.all(members.map((pid) => identify(pid)))).filter(
    (identity) => identity !== null,
  )
  const asked = (await listProcesses()).filter((row) => row.parent === first.pid)
  for (const row of asked) sendSignal(row.pid, 'SIGTERM')
  const deadline = Date.now() + (asked.length === 0 ? 0 : graceMs)
  const mayWait = (): boolean => Date.now() < deadline && !force.aborted
  while (mayWait() && (await isAlive(first)) && (await readStatus(paths)).exit_code === null) {
    await sleep(20)
  }
  return before
}

/** Ends every process of a sandbox, whatever sessions and groups they made, and returns when none is left. */
export async function endProcesses(
  record: SandboxRecord,
  paths: SandboxPaths,
  before: readonly ProcessIdentity[] = [],
): Promise<void> {
  const known = await knownProcesses(record, paths)
  const [first] = known
  /** The first process of a pid namespace takes the whole namespace with it. */
  if (first !== undefined && known.length > 1) await signalProcess(first, 'SIGKILL')
  if (process.platform === 'linux') return endMembers(record, [...known, ...before])
  for (const identity of known) await endGroup(identity)
}

/** Without /proc, a process group is all that can be told of a sandbox. */
async function endGroup(leader: ProcessIdentity): Promise<void> {
  for (let round = 0; round < rounds && (await isAlive(leader)); round += 1) {
    sendSignal(-leader.pid, 'SIGKILL')
    await sleep(10)
  }
}

/** The ids of everything that runs in a sandbox. */
export async function processesOf(record: SandboxRecord, paths: SandboxPaths): Promise<readonly number[]> {
  return findMembers(record, await knownProcesses(record, paths), new Set())
}

/** The first process of the sandbox's pid namespace, if it has one, and the one outside that started it. */
async function knownProcesses(
  { run }: SandboxRecord,
  paths: SandboxPaths,
): Promise<readonly ProcessIdentity[]> {
  if (run.status === 'stopped') return []
  const inner = run.inner ?? (await unrecordedInner(run.outer, paths))
  return inner === null ? [run.outer] : [inner, run.outer]
}

/** Frozen first and killed after, so that nothing is born between looking and killing. */
async function endMembers(record: SandboxRecord, known: readonly ProcessIdentity[]): Promise<void> {
  const frozen = new Set<number>()
  for (let round = 0; round < rounds; round += 1) {
    const members = await findMembers(record, known, frozen)
    if (members.length === 0) return
    const fresh = members.filter((pid) => !frozen.has(pid))
    const freezing = fresh.length > 0 && round < rounds / 2
    for (const pid of freezing ? fresh : members) sendSignal(pid, freezing ? 'SIGSTOP' : 'SIGKILL')
    for (const pid of fresh) frozen.add(pid)
    if (!freezing) await sleep(round < 10 ? 2 : 25)
  }
  throw new SandboxError('internal', 'The processes of this sandbox do not end.', { retryable: true })
}

async function findMembers(
  record: SandboxRecord,
  known: readonly ProcessIdentity[],
  frozen: ReadonlySet<number>,
): Promise<readonly number[]> {
  const rows = (await listProcesses()).filter((row) => row.pid !== process.pid)
  const roots = new Set<number>()
  for (const identity of known) if (await isAlive(identity)) roots.add(identity.pid)
  if (record.uid === null) {
    const marker = `SVC_SANDBOX_ID=${record.external_id}`
    const marked = await Promise.all(
      rows.map(async (row) => ((await carriesMarker(row.pid, marker)) ? row.pid : null)),
    )
    for (const pid of marked) if (pid !== null) roots.add(pid)
    for (const row of rows) if (frozen.has(row.pid) && row.state === 'T') roots.add(row.pid)
  }
  return membersOf(rows, { uid: record.uid, roots })
}

/** A platform that died while starting a sandbox has not recorded the inner process; bubblewrap has. */
async function unrecordedInner(outer: ProcessIdentity, paths: SandboxPaths): Promise<ProcessIdentity | null> {
  const { child_pid } = await readStatus(paths)
  if (child_pid === null || !(await isAlive(outer))) return null
  const child = (await listProcesses()).find((row) => row.pid === child_pid && row.parent === outer.pid)
  return child === undefined ? null : identify(child.pid)
}

/** Reads the report that bubblewrap, or the supervising shell, has written about the sandbox's processes. */
export async function readStatus(paths: SandboxPaths): Promise<StatusReport> {
  return parseStatusReport(await readFile(paths.status, 'utf8').catch(() => ''))
}
