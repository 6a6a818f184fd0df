import { ApiError } from '../errors.ts'
import { sleep } from '../http/sleep.ts'
import type { RequestOptions } from '../options.ts'
import type { Session } from '../types.ts'

type GetSession = (project_id: string, session_id: string, options?: RequestOptions) => Promise<Session>

const intervalMs = 500
const attempts = 120

/** Polls a queued session until its row exists: about a minute, then the last 404 is thrown. */
export async function awaitSession(
  get: GetSession,
  project_id: string,
  session_id: string,
  options: RequestOptions,
): Promise<Session> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await get(project_id, session_id, { signal: options.signal, request_id: options.request_id })
    } catch (error) {
      const missing = error instanceof ApiError && error.status === 404 && error.code !== 'project_archived'
      if (!missing || attempt === attempts) throw error
    }
    await sleep(intervalMs, options.signal)
  }
}
