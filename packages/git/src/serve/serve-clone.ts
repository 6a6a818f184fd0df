import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Repository } from '../repository.ts'
import { defaultPace, inPace, drained } from './client-pace.ts'
import { cloneKey } from './clone-key.ts'
import { unpack } from './feed.ts'
import { pktLine } from './pkt-lines.ts'
import { runService } from './run-service.ts'
import type { ServeRequest, ServeResult } from './serve-git.ts'
import { smallBody } from './small-body.ts'
import { type CheckWants, gatedWants, HiddenWant, wantedBy } from './wanted.ts'

/** A clone of a repository with 20,000 branches. */
const maxBody = 1024 * 1024
/** Node's own pieces of 64 KiB cost a write each. */
const pieceBytes = 256 * 1024

/**
 * A request of upload-pack, once everything that it wants was found to be the caller's to see. A clone that was answered
 * before gets the same answer, without a git process.
 */
export async function serveClone(
  repository: Repository,
  request: ServeRequest,
  check: CheckWants,
): Promise<ServeResult> {
  try {
    return await serve(repository, request, check)
  } catch (error) {
    if (!(error instanceof HiddenWant)) throw error
    request.output.write(pktLine(`ERR ${error.message}`))
    return { exit_code: 128, stderr: error.message }
  }
}

async function serve(repository: Repository, request: ServeRequest, check: CheckWants): Promise<ServeResult> {
  const { input, output, gzip = false, pace = defaultPace, git_protocol } = request
  const { clones, git_dir, signal } = repository
  const body = gzip ? unpack(input) : input
  const streamed = () => {
    const gated = Readable.from(gatedWants(body, check), { objectMode: false })
    return runService(repository, { ...request, input: gated, gzip: false })
  }
  if (git_protocol !== 'version=2') return streamed()
  const whole = await inPace({ input, output, signal }, pace, (moved) => smallBody(body, maxBody, moved))
  if (whole === null) return streamed()
  const wants = await wantedBy(whole)
  if (wants.length > 0) await check(wants)

  const asked = { ...request, input: Readable.from([whole]), gzip: false }
  const key = cloneKey(whole)
  if (key === null) return runService(repository, asked)
  const kept = await clones.open(git_dir, key)
  if (kept !== null) return sendKept(kept, request, signal)

  const draft = clones.draft(git_dir, key)
  try {
    const result = await runService(repository, asked, (chunk) => draft.write(chunk))
    if (result.exit_code === 0) draft.keep()
    else draft.drop()
    return result
  } catch (error) {
    draft.drop()
    throw error
  }
}

async function sendKept(
  kept: FileHandle,
  { output, pace = defaultPace }: ServeRequest,
  signal: AbortSignal | undefined,
): Promise<ServeResult> {
  const answer = kept.createReadStream({ highWaterMark: pieceBytes })
  const send = async (moved: (bytes: number) => void) => {
    answer.on('data', (chunk) => moved(chunk.length))
    await pipeline(answer, output, { end: false })
    await drained(output)
  }
  try {
    await inPace({ input: null, output, signal }, pace, send)
  } catch (error) {
    // Half of a pack cannot be mended by anything said after it.
    output.destroy()
    throw error
  }
  return { exit_code: 0, stderr: '' }
}
