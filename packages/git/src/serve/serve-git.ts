import type { Readable, Writable } from 'node:stream'
import type { Repository } from '../repository.ts'
import type { ClientPace } from './client-pace.ts'
import type { PushRules } from './push-rules.ts'
import { type PushReport, pushReportCollector } from './push-report.ts'
import { runService } from './run-service.ts'
import { serveClone } from './serve-clone.ts'

export type GitService = 'git-upload-pack' | 'git-receive-pack'

export interface ServeRequest {
  readonly service: GitService
  /** `GET info/refs` rather than the service's own POST. */
  readonly advertise: boolean
  /** The client's Git-Protocol header. */
  readonly git_protocol?: string | undefined
  readonly input: Readable
  /** Not ended here. */
  readonly output: Writable
  /** The request body is compressed. */
  readonly gzip?: boolean
  readonly max_push_bytes?: number
  readonly pace?: ClientPace
  /** What a push may do; without rules every push is refused. */
  readonly rules?: PushRules
}

export interface ServeResult {
  readonly exit_code: number | null
  readonly stderr: string
  /** Of a push: what became of its refs; null when git said nothing of them. */
  readonly report?: PushReport | null
}

/** One smart HTTP exchange, streamed both ways. A client that leaves takes git with it; a slow one is a SlowClient. */
export async function serveGit(repository: Repository, request: ServeRequest): Promise<ServeResult> {
  const { service, advertise, git_protocol, output } = request
  // What git's own clients say; any other wish is left to git to understand.
  if (service === 'git-receive-pack' && !advertise) {
    const collected = pushReportCollector()
    const result = await runService(repository, request, collected.add)
    return { ...result, report: collected.read() }
  }
  if (service !== 'git-upload-pack' || git_protocol !== 'version=2') return runService(repository, request)
  if (!advertise) return serveClone(repository, request)
  output.write(await repository.capabilities.of(repository))
  return { exit_code: 0, stderr: '' }
}
