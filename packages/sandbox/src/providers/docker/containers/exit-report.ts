import type { ContainerInspectInfo } from 'dockerode'
import { limitExceeded } from '../../../shared/limit-exceeded.ts'
import { logTail } from '../../../shared/log-tail.ts'
import { exitWords } from '../../../shared/exit-words.ts'
import type { ExitReport } from '../../../provider.ts'
import { containerName } from './containers.ts'
import type { DockerHost } from '../docker-host.ts'
import type { DockerRecord } from '../record.ts'

const tailLines = 400

export async function exitReportOf(
  host: DockerHost,
  record: DockerRecord,
  container: ContainerInspectInfo | null,
): Promise<ExitReport> {
  if (container === null) return { exit: null, output: '' }
  const output = await outputOf(host, record, container)
  return { exit: exitOf(record, container.State), output }
}

type State = Pick<ContainerInspectInfo['State'], 'Running' | 'ExitCode' | 'OOMKilled' | 'StartedAt' | 'Error'>

/** Null while it runs and after a stop that was asked for. */
export function exitOf(
  record: Pick<DockerRecord, 'stop_asked' | 'ended_because' | 'limits'>,
  state: State,
): string | null {
  if (state.Running || record.stop_asked || neverStarted(state)) return null
  if (record.ended_because !== null) return record.ended_because
  return state.OOMKilled ? limitExceeded('memory', record.limits.memory_mb) : exitWords(state.ExitCode)
}

function neverStarted({ StartedAt }: State): boolean {
  return StartedAt.startsWith('0001-')
}

/** The output of the last run only: the engine keeps that of earlier ones. */
async function outputOf(
  host: DockerHost,
  record: DockerRecord,
  found: ContainerInspectInfo,
): Promise<string> {
  if (neverStarted(found.State)) return ''
  const container = host.engine.docker.getContainer(containerName(record.external_id))
  const since = sinceOf(found.State.StartedAt)
  const logs = await host.engine.find('Reading what a sandbox printed', () =>
    container.logs({ stdout: true, stderr: true, follow: false, tail: tailLines, since }),
  )
  return logs === null ? '' : logTail(plainLog(logs))
}

/** Named boundary: the engine reads fractions of a second, which a number would round; the client's type says number. */
function sinceOf(startedAt: string): number {
  const fraction = /\.(\d+)Z$/.exec(startedAt)?.[1] ?? '0'
  const seconds = Math.floor(Date.parse(startedAt) / 1000)
  return `${seconds}.${fraction.padEnd(9, '0')}` as unknown as number
}

const headBytes = 8

/** The engine marks each piece with its stream and length. */
export function plainLog(logs: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at + headBytes <= logs.length;) {
    const length = logs.readUInt32BE(at + 4)
    pieces.push(logs.subarray(at + headBytes, at + headBytes + length))
    at += headBytes + length
  }
  return Buffer.concat(pieces)
}
