import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '@svc/sdk'
import { round } from '../measure.ts'
import { runBench } from '../report.ts'
import { openPlace, type ServedApi } from './place.ts'

const mostMs = 1_000

/** Clients of event streams of one API whose p99 from the request to the event stays within a second. */
await runBench('operations/sse', async ({ quick }) => {
  const place = await openPlace()
  try {
    const api = await place.api('api', await place.database('sse'))
    const { project_id } = await api.client.projects.provision({ name: 'sse' })
    const session = await api.client.projects.sessions.create(project_id, {})
    const figures: Record<string, number> = {}
    let most = 0
    for (const clients of quick ? [50, 100] : [100, 200, 400, 800, 1_600]) {
      const p99_ms = await delayOf(api, session, clients, quick ? 10 : 40)
      figures[`${clients} clients, p99 in ms`] = p99_ms
      if (p99_ms > mostMs) break
      most = clients
    }
    const measured = `${most} clients held it; ${JSON.stringify(figures)}`
    const [what, promise] = ['clients of one API that are told within a second (p99)', 'at least 50']
    return { verdicts: [{ what, promise, measured, held: most > 0 }], figures }
  } finally {
    await place.close()
  }
})

/** The delay from a prompt that is asked for to its event at every client. */
async function delayOf({ client }: ServedApi, session: Session, clients: number, events: number) {
  const { project_id, session_id } = session
  const left = new AbortController()
  setMaxListeners(0, left.signal)
  const asked = new Map<string, number>()
  const delays: number[] = []
  const follow = async () => {
    const stream = client.projects.sessions.stream(project_id, session_id, { signal: left.signal })
    for await (const event of stream) {
      const at = asked.get(String(event['text'] ?? ''))
      if (at !== undefined) delays.push(performance.now() - at)
    }
  }
  const following = Array.from({ length: clients }, () => follow().catch(() => undefined))
  await sleep(2_000)
  for (let index = 0; index < events; index += 1) {
    const text = `${clients} ${index}`
    asked.set(text, performance.now())
    await client.projects.sessions.prompt(project_id, session_id, { text })
    await sleep(100)
  }
  for (let waited = 0; delays.length < clients * events && waited < 100; waited += 1) await sleep(100)
  left.abort()
  await Promise.all(following)
  if (delays.length < clients * events) return Number.POSITIVE_INFINITY
  return round(delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? 0)
}
