import type { ExitReport, SandboxStatus } from '../../provider.ts'
import { readStatus } from './processes/end-processes.ts'
import { exitWords } from '../../shared/exit-words.ts'
import { tailOf } from './files/output-log.ts'
import { socketUrl } from '../../network/unix-sockets.ts'
import { daemonSocket, type SandboxPaths } from './paths.ts'
import { isAlive } from '@svc/files'
import type { SandboxRecord } from './record.ts'

/** A sandbox runs as long as its daemon does: what the daemon leaves behind does not count. */
export async function statusOf(record: SandboxRecord, paths: SandboxPaths): Promise<SandboxStatus> {
  if (record.run.status === 'stopped') return 'stopped'
  if ((await readStatus(paths)).exit_code !== null) return 'stopped'
  return (await isAlive(record.run.inner ?? record.run.outer)) ? 'running' : 'stopped'
}

export async function exitReportOf(record: SandboxRecord, paths: SandboxPaths): Promise<ExitReport> {
  const output = await tailOf(paths.output)
  const status = await statusOf(record, paths)
  if (record.run.status === 'stopped' || status === 'running') return { exit: null, output }
  if (record.ended_because !== null) return { exit: record.ended_because, output }
  const { exit_code } = await readStatus(paths)
  return { exit: exit_code === null ? wordsWithoutCode(output) : exitWords(exit_code), output }
}

/** No process is left to write an exit status when the supervisor itself is killed, or when there was nothing to run. */
function wordsWithoutCode(output: string): string {
  const last = output.trimEnd().split('\n').at(-1) ?? ''
  return last.startsWith('bwrap: ') ? `could not be set up (${last})` : 'killed by SIGKILL'
}

export function endpointOf(record: SandboxRecord, root: string): { readonly url: string } {
  if (record.network === 'own') return { url: socketUrl(daemonSocket(root, record.external_id)) }
  return { url: `http://${record.address}:${record.service_port}` }
}
