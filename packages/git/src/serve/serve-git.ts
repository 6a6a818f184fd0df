import type { Readable, Writable } from 'node:stream'
import type { Repository } from '../repository.ts'
import { type ClientPace, defaultPace, inPace } from './client-pace.ts'
import { unpack } from './feed.ts'
import { pushedBranches } from './push-commands.ts'
import type { PushRules } from './push-rules.ts'
import { type PushReport, pushReportCollector } from './push-report.ts'
import { runService } from './run-service.ts'
import { serveClone } from './serve-clone.ts'
import { firstHidden } from './visible.ts'
import { HiddenWant } from './wanted.ts'

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
  /** The rules of a push; without rules every push is refused. */
  readonly rules?: PushRules
  /** Asked with the branches that a push names, before git sees it, for those that it may not write. */
  readonly foreign?: ((branches: readonly string[]) => Promise<readonly string[]>) | undefined
}

export interface ServeResult {
  readonly exit_code: number | null
  readonly stderr: string
  /** For a push: the outcome of its refs; null when git reported none. */
  readonly report?: PushReport | null
}

/** One smart HTTP exchange, streamed both ways. A client that leaves takes git with it; a slow one is a SlowClient. */
export async function serveGit(repository: Repository, request: ServeRequest): Promise<ServeResult> {
  const { service, advertise, git_protocol, output } = request
  // The requests of git's own clients; any other is left to git to understand.
  if (service === 'git-receive-pack' && !advertise) {
    const collected = pushReportCollector()
    const result = await runService(repository, await withForeign(repository, request), collected.add)
    return { ...result, report: collected.read() }
  }
  if (service === 'git-upload-pack' && !advertise) {
    const caller = { checkpoints_of: request.rules?.checkpoints_of }
    return serveClone(repository, request, async (wants) => {
      const hidden = await firstHidden(repository, caller, wants)
      if (hidden !== null) throw new HiddenWant(hidden)
    })
  }
  if (service !== 'git-upload-pack' || git_protocol !== 'version=2') return runService(repository, request)
  output.write(await repository.capabilities.of(repository))
  return { exit_code: 0, stderr: '' }
}

/** The push with the branches that it names and may not write among its rules. */
async function withForeign({ signal }: Repository, request: ServeRequest): Promise<ServeRequest> {
  const { foreign, rules, input, output, gzip = false, pace = defaultPace } = request
  if (!foreign || !rules) return request
  const body = gzip ? unpack(input) : input
  const branches = await inPace({ input, output, signal }, pace, (moved) => pushedBranches(body, moved))
  return {
    ...request,
    input: body,
    gzip: false,
    rules: { ...rules, foreign_branches: await foreign(branches) },
  }
}
