import { bringsKey } from '../access/same-secret.ts'
import { refusal, sendJson } from '../serving/answers.ts'
import type { DaemonServer } from '../serving/daemon-server.ts'
import type { Log } from '../log.ts'
import { type UnpackParts, unpackSent } from '../repository/unpack-sent.ts'
import { deferred } from '../shared/deferred.ts'

/** A platform that sends does so at once; one that was killed meanwhile never does. */
const timeoutMs = 3_000
/** Between two pieces of what is sent. */
const silenceMs = 30_000

/**
 * Takes a new session's repository from the platform, once. Gives the branches that came; null where nothing came, or
 * nothing of use: the sandbox asks its origin then.
 */
export function receiveRepository(
  server: DaemonServer,
  key: string,
  parts: UnpackParts,
  log: Log,
): Promise<ReadonlySet<string> | null> {
  const received = deferred<ReadonlySet<string> | null>()
  const late = setTimeout(() => {
    close()
    received.resolve(null)
  }, timeoutMs)

  const close = server.expect('/svc/repository', async (request, response) => {
    if (!bringsKey(request.headers.authorization, key))
      return sendJson(response, 401, refusal(401, 'This is not the key of this sandbox', 'unauthorized'))
    if (request.method !== 'POST') return sendJson(response, 405, refusal(405, 'The repository is posted'))
    close()
    clearTimeout(late)
    request.setTimeout(silenceMs, () => request.destroy())
    try {
      received.resolve(await unpackSent(request, parts))
      sendJson(response, 200, { ok: true })
    } catch (error) {
      log.warn('the repository that was sent is of no use; the origin is asked', { error })
      received.resolve(null)
      sendJson(response, 422, refusal(422, 'This is not a repository', 'unusable'))
    }
  })
  return received.promise
}
