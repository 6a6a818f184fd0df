import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkpointFolder, hiddenRefs } from '../storage/checkpoints.ts'
import type { Repository } from '../repository.ts'
import type { RunOptions } from '../runner/runner.ts'
import { defaultPace, SlowClient, drained, watchPace } from './client-pace.ts'
import { feed } from './feed.ts'
import { pktLine } from './pkt-lines.ts'
import { type PushRules, pushEnvironment } from './push-rules.ts'
import type { ServeRequest, ServeResult } from './serve-git.ts'

const defaultMaxPush = 1024 * 1024 * 1024
const maxNegotiation = 64 * 1024 * 1024
const maxErrors = 64

/** The exchange as git itself has it; `copy` is told of the answer as it goes by. */
export async function runService(
  repository: Repository,
  request: ServeRequest,
  copy?: (chunk: Buffer) => void,
): Promise<ServeResult> {
  const { service, advertise, input, output, gzip = false, max_push_bytes = defaultMaxPush } = request
  const flags = ['--stateless-rpc', ...(advertise ? ['--http-backend-info-refs'] : [])]
  const args = [service.slice('git-'.length), ...flags, repository.git_dir]
  const { child, guard } = repository.runner.spawn(args, serveOptions(repository, request, max_push_bytes))
  const errors: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => {
    if (errors.length < maxErrors) errors.push(chunk)
  })
  const gone = () => guard.stop(new Error('the client left'))
  output.once('close', gone)
  const ended = once(child, 'close')
  const watched = { input: advertise ? null : input, sink: child.stdin, output }
  const pace = watchPace(watched, request.pace ?? defaultPace, () => {
    guard.stop(new SlowClient())
    // A client that reads can still be told; one that does not read, or that only waits for the end of a body, is cut
    // off.
    if (output.writableNeedDrain || child.exitCode !== null) output.destroy()
  })
  child.stdout.on('data', (chunk: Buffer) => {
    pace.moved(chunk.length)
    copy?.(chunk)
  })

  if (advertise) {
    child.stdin.end()
    if (!isVersion2(request.git_protocol)) output.write(`${pktLine(`# service=${service}\n`)}0000`)
  }
  const max_bytes = maxNegotiation + (service === 'git-receive-pack' ? max_push_bytes : 0)
  const received = advertise
    ? Promise.resolve()
    : feed(input, child.stdin, { gzip, max_bytes, moved: pace.moved }).catch((error: unknown) =>
        guard.stop(error),
      )
  const sent = pipeline(child.stdout, output, { end: false }).catch(gone)
  try {
    await Promise.all([sent, ended])
    const reason = guard.reason()
    if (reason !== undefined && child.exitCode !== 0) throw reason
    // git has its answer out; the rest of the body is read only while the client sends it and may.
    await Promise.race([received, closed(input), aborted(repository.signal)])
    await drained(output)
  } finally {
    output.off('close', gone)
    pace.end()
  }
  return { exit_code: child.exitCode, stderr: Buffer.concat(errors).toString('utf8') }
}

/** The platform's own refs are neither listed to a client nor written by one; a sandbox sees its own checkpoints. */
function hidden({ checkpoints_of }: Pick<PushRules, 'checkpoints_of'>): (readonly [string, string])[] {
  const own = checkpoints_of === undefined ? [] : [`!${checkpointFolder(checkpoints_of)}`]
  return [hiddenRefs, ...own].map((refs) => ['transfer.hideRefs', refs])
}

function serveOptions(repository: Repository, request: ServeRequest, max_push_bytes: number): RunOptions {
  const { git_protocol, rules, service } = request
  const protocol = git_protocol !== undefined && /^[a-z0-9=:._-]{1,128}$/i.test(git_protocol)
  const config = [
    ...hidden(rules ?? noPush),
    ['core.hooksPath', repository.hooks_dir],
    // The hook refuses it, and says so in its own words.
    ['receive.maxInputSize', String(max_push_bytes)],
  ] as const
  return {
    signal: repository.signal,
    config: service === 'git-receive-pack' ? config : hidden(rules ?? noPush),
    env: { ...pushEnvironment(rules ?? noPush), ...(protocol ? { GIT_PROTOCOL: git_protocol } : {}) },
  }
}

const noPush: PushRules = {
  default_branch: '',
  default_allowed: false,
  only_branch: null,
  delete_allowed: false,
  read_only: true,
}

const closed = (stream: Readable): Promise<void> => new Promise((resolve) => stream.once('close', resolve))

const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))

const isVersion2 = (git_protocol: string | undefined): boolean =>
  /(^|:)version=2(:|$)/.test(git_protocol ?? '')
