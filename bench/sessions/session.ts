import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { BenchPlatform } from './platform.ts'

/** Milliseconds from the request that asked for it. */
export interface SessionTimes {
  readonly created: number
  readonly checked_out: number
  readonly first_token: number
  readonly stopped: number
  readonly resumed: number
}

const Health = z.object({ repo: z.object({ state: z.string() }) })
const pollMs = 10
const deadlineMs = 180_000

export const Session = z.object({
  session_id: z.string(),
  status: z.string(),
  external_id: z.string().nullable(),
  failure: z.unknown(),
})

/** One session from its create to its delete, as a client sees it. */
export async function liveOnce(platform: BenchPlatform, project_id: string): Promise<SessionTimes> {
  const sessions = `/projects/${project_id}/sessions`
  const clock = performance.now()
  const { session_id } = Session.parse(await platform.call('POST', sessions, { initial_prompt: 'hello' }))
  const created = performance.now() - clock
  const path = `${sessions}/${session_id}`
  const [checked_out, first_token] = await Promise.all([
    ready(platform, path).then(() => performance.now() - clock),
    firstWord(platform, path).then(() => performance.now() - clock),
  ])

  const stopping = performance.now()
  await platform.call('POST', `${path}/stop`)
  await until(async () => (await look(platform, path)).status === 'stopped')
  const stopped = performance.now() - stopping

  const starting = performance.now()
  await platform.call('POST', `${path}/start`)
  await ready(platform, path)
  const resumed = performance.now() - starting
  await platform.call('DELETE', path)
  return { created, checked_out, first_token, stopped, resumed }
}

async function look(platform: BenchPlatform, path: string) {
  const session = Session.parse(await platform.call('GET', path))
  if (session.status === 'failed') throw new Error(`It failed: ${JSON.stringify(session.failure)}`)
  return session
}

/** The daemon answers and has the repository checked out. */
async function ready(platform: BenchPlatform, path: string): Promise<void> {
  await until(async () => {
    const { status, external_id } = await look(platform, path)
    if (status !== 'running' || external_id === null) return false
    const health = await platform.call('GET', `/p/${external_id}/8000/svc/health`).catch(() => null)
    const known = Health.safeParse(health)
    return known.success && known.data.repo.state === 'ready'
  })
}

/** The first piece of the agent's answer, or the whole of it when it came in one. */
export async function firstWord({ origin, token }: BenchPlatform, path: string): Promise<void> {
  const stop = AbortSignal.timeout(deadlineMs)
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const response = await fetch(`${origin}/v1${path}/events?after=0`, { headers, signal: stop })
  let words = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    words += decoder.decode(chunk, { stream: true })
    if (/^event: message\.delta$/m.test(words) || words.includes('"role":"assistant"')) return
  }
}

async function until(look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + deadlineMs
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error('It never came')
    await sleep(pollMs)
  }
}
