import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { bringsKey } from '../access/same-secret.ts'
import { refusal, sendJson } from '../serving/answers.ts'
import type { DaemonServer } from '../serving/daemon-server.ts'
import { daemonLimits } from '../limits.ts'
import { deferred } from '../shared/deferred.ts'
import { version } from '../version.ts'
import { claimedEnvironment } from './claimed-environment.ts'

const Claim = z.object({ environment: z.record(z.string(), z.string()) })

/**
 * Waits until the platform gives this sandbox to a session, which happens once: the key ends with the claim. Gives the
 * environment of the session; a caller that asks for anything else meanwhile is told that there is none yet.
 */
export async function awaitClaim(
  source: NodeJS.ProcessEnv,
  key: string,
  server: DaemonServer,
): Promise<Record<string, string>> {
  const claimed = deferred<Record<string, string>>()
  let isTaken = false

  async function claim(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!bringsKey(request.headers.authorization, key)) {
      return sendJson(response, 401, refusal(401, 'This is not the key of this sandbox', 'unauthorized'))
    }
    const given = Claim.safeParse(await bodyOf(request))
    if (!given.success)
      return sendJson(response, 400, refusal(400, 'A claim is { environment: { NAME: text } }'))
    if (isTaken)
      return sendJson(response, 409, refusal(409, 'This sandbox has a session already', 'already_claimed'))
    isTaken = true
    // The session's daemon answers every later request.
    server.give(null)
    sendJson(response, 200, { ok: true })
    claimed.resolve(claimedEnvironment(source, given.data.environment))
  }

  server.give({
    answer: (request, response) => {
      const path = request.url?.split('?')[0]
      if (request.method === 'POST' && path === '/svc/claim') return claim(request, response)
      if (request.method === 'GET' && path === '/svc/health') return sendJson(response, 200, waiting)
      return sendJson(response, 503, refusal(503, 'This sandbox has no session yet', 'no_session'))
    },
    upgrade: async (_request, socket) => void socket.destroy(),
  })
  return claimed.promise
}

const waiting = {
  status: 'warm',
  daemon: { version },
  repo: { state: 'waiting', error: null },
  error: null,
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  if (!(length <= daemonLimits.jsonBodyBytes)) return undefined
  try {
    return JSON.parse(await text(request))
  } catch {
    return undefined
  }
}
