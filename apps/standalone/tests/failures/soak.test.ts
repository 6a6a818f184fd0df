import { setTimeout as sleep } from 'node:timers/promises'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project, Session, SessionEvent } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bash, script, write } from '../support/sessions/agent.ts'
import { allEvents } from '../support/sessions/events.ts'
import { git } from '../support/clients/git.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { makeBegunPlace, type Place, type Platform, startOn } from '../support/platform/platform.ts'
import { processesWith } from '../support/platform/processes.ts'
import { makeRandom } from '../support/random.ts'
import { sandboxProcesses } from '../support/sessions/sandbox-processes.ts'
import { waitFor } from '../support/wait-for.ts'

/** SOAK_SESSIONS=200 SOAK_WIDTH=10 is the long form; SOAK_SEED repeats one as far as the machine allows. */
const total = Number(process.env.SOAK_SESSIONS ?? 4)
const width = Number(process.env.SOAK_WIDTH ?? 4)
const seed = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000)
const long = total > 4
/** Every third kill or so of the long form takes the whole platform, worker and all; the short one does it once. */
const killEveryMs = long ? 4_000 : 3_000
/** Disorder ends before the work does, however slow the machine is. */
const maxKills = long ? total * 2 : 3
/** Since the last kill: a session that has not got on by then does not. */
const stuckMs = 400_000
const maxMs = long ? 3 * 3_600_000 : 600_000

let place: Place
let platform: Platform
/** One on either runtime: in the long form the sessions take turns, in the short one every fourth starts the dear one. */
let projects: readonly Project[]
let over = false
const kills: string[] = []
let lastKill = 0

beforeAll(async () => {
  place = await makeBegunPlace({ SVC_SESSION_CAP: String(width * 3) })
  platform = await startOn(place)
  projects = [
    await platform.client.projects.provision({ name: 'Soak' }),
    await piProject(platform.client, platform.token, 'Soak on pi'),
  ]
})
afterAll(async () => {
  over = true
  if (platform && !platform.child.ended) await platform.stop()
  await place?.remove()
})

const sessions = () => platform.client.projects.sessions

/** Asks as a patient client: a platform that is away, or that is busy with another wish, is asked again. */
async function patiently<T>(what: string, ask: () => Promise<T>): Promise<T> {
  return waitFor(
    what,
    async () => {
      try {
        return { answer: await ask() }
      } catch (error) {
        const status = error instanceof Error && 'status' in error ? error.status : null
        if (typeof status === 'number' && status < 500 && status !== 429) throw new Refused(what, error)
        return null
      }
    },
    { timeout_ms: 300_000, every_ms: 250 },
  ).then(({ answer }) => answer)
}

/** The facts known of a session that does not get on, for the person who reads the failure. */
async function standing({ project_id, session_id }: Session, accepted: readonly string[]): Promise<string> {
  try {
    const now = await sessions().get(project_id, session_id)
    const { status, stop_reason, error, runtime_status, updated_at } = now
    const runs = now.external_id === null ? [] : await sandboxProcesses(now)
    const events = await allEvents(platform.client, now)
    const seconds = Math.round((Date.now() - lastKill) / 1_000)
    return JSON.stringify({
      ...{ session_id, status, stop_reason, error, runtime_status, updated_at },
      processes: runs.length,
      seconds_since_the_last_kill: seconds,
      accepted,
      last_events: events.slice(-25),
    })
  } catch (error) {
    return `nothing is known: ${String(error)}`
  }
}

class Refused extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

async function chaos(): Promise<void> {
  const random = makeRandom(seed)
  let cuts = 0
  while (!over && kills.length < maxKills) {
    await sleep(killEveryMs * (0.5 + random()))
    if (over) return
    if ((long && random() < 0.15) || (!long && cuts === 0 && kills.length >= 2)) {
      cuts += 1
      kills.push('platform')
      lastKill = Date.now()
      await platform.kill()
      platform = await startOn(place)
      continue
    }
    const found = await processesWith([`SVC_API_URL=${platform.origin}/v1`])
    const runtimes = found.filter(({ command }) => /\bserve --port\b|\bpi\/main\.js/.test(command))
    const daemons = found.filter(({ command }) => /svc-agent/.test(command))
    const [kind, of] = random() < 0.5 ? (['runtime', runtimes] as const) : (['daemon', daemons] as const)
    const victim = of[Math.floor(random() * of.length)]
    if (!victim) continue
    kills.push(kind)
    lastKill = Date.now()
    try {
      process.kill(victim.pid, random() < 0.8 ? 'SIGKILL' : 'SIGTERM')
    } catch {
      // It ended by itself.
    }
  }
}

const isEnd = ({ type, state }: SessionEvent) => type === 'turn' && state === 'end'

/** Every prompt that was accepted ends once, and has at most one turn. */
function expectTrueLog(events: readonly SessionEvent[], accepted: readonly string[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  const times = events.map(({ at }) => Date.parse(at))
  expect(times).toEqual([...times].sort((a, b) => a - b))
  for (const prompt_id of accepted) {
    const turns = events.filter((event) => event.type === 'turn' && event.prompt_id === prompt_id)
    expect(turns.filter(({ state }) => state === 'begin').length).toBeLessThanOrEqual(1)
    expect(turns.filter(isEnd)).toHaveLength(1)
  }
}

async function live(number: number): Promise<void> {
  const random = makeRandom(seed + number)
  const on_pi = long ? number % 2 : Math.min(number % 4, 1)
  const project_id = projects[on_pi]?.project_id ?? ''
  const accepted: string[] = []
  const session: Session = await patiently('create', () =>
    sessions().create(
      project_id,
      { initial_prompt: script(write('work.txt', `of ${number}\n`), bash('sleep 0.5; echo first')) },
      { idempotency_key: `soak-${seed}-${number}` },
    ),
  )
  const { session_id } = session
  const send = async (command: string) => {
    const { prompt_id } = await patiently('prompt', () =>
      sessions().prompt(project_id, session_id, { text: script(bash(command)) }),
    )
    accepted.push(prompt_id)
  }
  await send('echo second')
  if (random() < 0.5) {
    await sleep(random() * 3_000)
    await patiently('stop', () => sessions().stop(project_id, session_id))
    await patiently('start', () => sessions().start(project_id, session_id))
  }
  await send('cat work.txt')
  if (random() < 0.3) await patiently('restart', () => sessions().restart(project_id, session_id))
  // A crash ends a turn; a prompt that waits behind it still has its own. On a slow machine the last few sessions get
  // all the kills, and come to nothing before those are over.
  const began = Date.now()
  const how = await waitFor(
    `session ${number} has ended all its turns`,
    async () => {
      if (Date.now() - Math.max(began, lastKill) > stuckMs) return 'stuck'
      const now = await sessions().get(project_id, session_id)
      const ended = (await allEvents(platform.client, session))
        .filter(isEnd)
        .map(({ prompt_id }) => prompt_id)
      if (accepted.every((prompt_id) => ended.includes(prompt_id))) return 'ended'
      // It ended by itself too often in a row, or for good: a caller has to start it again.
      if (now.status === 'failed' || now.status === 'stopped') await sessions().start(project_id, session_id)
      return false
    },
    { timeout_ms: maxMs, every_ms: 500 },
  )
  if (how === 'stuck') throw new Error(`Session ${number} is stuck: ${await standing(session, accepted)}`)
  expectTrueLog(await patiently('events', () => allEvents(platform.client, session)), accepted)
  await waitFor(`session ${number} and its sandbox agree`, async () => {
    const now = await sessions().get(project_id, session_id)
    if (now.status === 'provisioning') return false
    const runs = now.external_id !== null && (await sandboxProcesses(now)).length > 0
    return (now.status === 'running') === runs
  })
  await patiently('delete', () =>
    sessions()
      .delete(project_id, session_id)
      // The platform died after it had written it down.
      .catch((error: unknown) => {
        if (!(error instanceof Error && 'status' in error && error.status === 404)) throw error
      }),
  )
}

test(
  `${total} sessions, ${width} at a time, with kills of daemon, runtime, worker and platform: each ends truly, nothing is left`,
  { timeout: maxMs },
  async () => {
    const disorder = chaos()
    const numbers = Array.from({ length: total }, (_, number) => number)
    const failures: unknown[] = []
    const worker = async () => {
      for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
        await live(number).catch((error: unknown) => failures.push({ number, error }))
      }
    }
    await Promise.all(Array.from({ length: width }, worker))
    over = true
    await disorder
    if (long) console.log(`seed ${seed}: ${total} sessions, kills: ${JSON.stringify(count(kills))}`)
    expect(failures, `seed ${seed}, kills ${kills.join(' ')}`).toEqual([])

    for (const { project_id } of projects) expect((await sessions().list(project_id)).items).toEqual([])
    await waitFor('no process of a sandbox is left', async () => {
      return (await processesWith([`SVC_API_URL=${platform.origin}/v1`])).length === 0
    })
    const sandboxes = join(place.data_dir, 'sandboxes')
    await waitFor('no folder of a sandbox is left', async () => {
      return (await readdir(sandboxes)).every((name) => !name.startsWith('sbx_'))
    })
    for (const { project_id } of projects) {
      const cwd = join(place.data_dir, 'repositories', `${project_id}.git`)
      await waitFor(
        'no checkpoint is left',
        async () => (await git(['for-each-ref', 'refs/svc'], { cwd })) === '',
      )
      const locked = (await readdir(join(cwd, 'refs', 'heads'))).filter((name) => name.endsWith('.lock'))
      expect(locked).toEqual([])
    }
  },
)

function count(words: readonly string[]): Record<string, number> {
  const counted: Record<string, number> = {}
  for (const word of words) counted[word] = (counted[word] ?? 0) + 1
  return counted
}
