import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readUntil } from './measure.ts'
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
/** Between two looks at what no event tells; each costs the platform some of what is measured. */
const pollMs = 50
/** The daemon keeps its answer back this long while it clones. */
const waitMs = 1_000
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
    running(platform, path)
      .then(() => ready(platform, path))
      .then(() => performance.now() - clock),
    firstWord(platform, path).then(() => performance.now() - clock),
  ])

  const stopping = performance.now()
  await platform.call('POST', `${path}/stop`)
  await until(async () => (await look(platform, path)).status === 'stopped')
  const stopped = performance.now() - stopping

  const starting = performance.now()
  // It answers when the session runs.
  await platform.call('POST', `${path}/start`)
  await ready(platform, path)
  const resumed = performance.now() - starting
  const { external_id } = await look(platform, path)
  await platform.call('DELETE', path)
  // The next one is not to pay for it.
  if (external_id !== null) await until(() => platform.sandboxes.isGone(external_id))
  return { created, checked_out, first_token, stopped, resumed }
}

async function look(platform: BenchPlatform, path: string) {
  const session = Session.parse(await platform.call('GET', path))
  if (session.status === 'failed') throw new Error(`It failed: ${JSON.stringify(session.failure)}`)
  return session
}

/** The daemon of a running session answers and has the repository checked out. */
async function ready(platform: BenchPlatform, path: string): Promise<void> {
  const { external_id } = await look(platform, path)
  await until(async () => {
    const route = `/p/${external_id}/8000/svc/health?wait_ms=${waitMs}`
    const known = Health.safeParse(await platform.call('GET', route).catch(() => null))
    return known.success && known.data.repo.state === 'ready'
  })
}

function running(platform: BenchPlatform, path: string): Promise<void> {
  return readStream(platform, path, (words) => {
    const failed = /^data: .*"status":"failed".*$/m.exec(words)
    if (failed) throw new Error(`It failed: ${failed[0]}`)
    return words.includes('"status":"running"')
  })
}

/** The first piece of the agent's answer, or the whole of it when it came in one. */
export function firstWord(platform: BenchPlatform, path: string): Promise<void> {
  return readStream(
    platform,
    path,
    (words) => /^event: message\.delta$/m.test(words) || words.includes('"role":"assistant"'),
  )
}

/** Follows the session's events until what came is enough. */
async function readStream(
  { origin, token }: BenchPlatform,
  path: string,
  isEnough: (words: string) => boolean,
): Promise<void> {
  const stop = AbortSignal.timeout(deadlineMs)
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const response = await fetch(`${origin}/v1${path}/events?after=0`, { headers, signal: stop })
  await readUntil(response, isEnough)
}

async function until(look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + deadlineMs
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error('It never came')
    await sleep(pollMs)
  }
}
