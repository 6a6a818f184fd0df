import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createLogger } from '@svc/boot'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { newSigningSecret, signatureHeaders } from '@svc/event'
import { Agent, request } from 'undici'
import { machine } from '../machine.ts'
import { round } from '../measure.ts'
import { openScene, type Scene } from './scene.ts'

/** See README.md. */
const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
})
const plan = values.quick ? { events: 500, turns: 2, seconds: 3 } : { events: 2_000, turns: 5, seconds: 15 }
const perSecond = 100

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-channels-'))
const log = createLogger({ name: 'bench', level: 'error' })
const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log })
try {
  const scene = await openScene(postgres.connection_string, folder)
  const [ours, bare]: [number[], number[]] = [[], []]
  for (let turn = 0; turn <= plan.turns; turn += 1) {
    const measured = [await deliveredPerSecond(scene), await sentPerSecond(scene)] as const
    // The first turn warms up.
    if (turn === 0) continue
    ours.push(measured[0])
    bare.push(measured[1])
  }
  const delays = await delaysOf(scene)
  await scene.close()
  const [rate, limit] = [quantile(ours, 0.5), quantile(bare, 0.5)]
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)]
  const verdicts = [
    {
      what: 'deliveries a second to one receiver, beside a loop that signs and sends without rows',
      promise: 'at least 0.5 of it',
      measured: `${Math.round(rate)}/s beside ${Math.round(limit)}/s: ${round(rate / limit)}x`,
      held: rate / limit >= 0.5,
    },
    {
      what: `from the commit of an event to its arrival, at ${perSecond}/s`,
      promise: 'p50 at most 60 ms, p99 at most 250 ms',
      measured: `p50 ${round(p50)} ms, p99 ${round(p99)} ms of ${delays.length}`,
      held: p50 <= 60 && p99 <= 250,
    },
  ]
  for (const { what, promise, measured, held } of verdicts)
    console.info(`${held ? 'held  ' : 'MISSED'} ${what}: ${measured} (${promise})`)
  const result = { machine: machine(), plan, ours_per_second: ours, bare_per_second: bare, verdicts }
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(result, null, 2)}\n`)
  if (verdicts.some(({ held }) => !held)) process.exitCode = 1
} finally {
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

/** Events that are all written before, from the start of a worker to the last arrival. */
async function deliveredPerSecond(scene: Scene): Promise<number> {
  await Promise.all(Array.from({ length: plan.events }, () => scene.happen()))
  const began = performance.now()
  const end = scene.work()
  let arrived = 0
  while (arrived < plan.events) {
    await sleep(20)
    arrived += (await scene.arrived()).size
  }
  const ms = performance.now() - began
  await end()
  return (plan.events / ms) * 1000
}

/** The limit: the same bodies signed and sent by eight loops, with nothing kept. */
async function sentPerSecond(scene: Scene): Promise<number> {
  const secret = newSigningSecret()
  const dispatcher = new Agent({ connections: 8 })
  const body = JSON.stringify({ type: 'trigger.fired', id: 'evt_x', sequence: 1, data: { slug: 'bench' } })
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < plan.events) {
        const id = `evt_${(next += 1)}`
        const signed = signatureHeaders({ id, at: new Date(), body }, [secret])
        const headers = { 'content-type': 'application/json', ...signed }
        const answer = await request(scene.receiver, { method: 'POST', dispatcher, headers, body })
        await answer.body.dump()
      }
    }),
  )
  const ms = performance.now() - began
  await dispatcher.close()
  await scene.arrived()
  return (plan.events / ms) * 1000
}

/** At a fixed rate, each counted from the moment that its transaction had committed. */
async function delaysOf(scene: Scene): Promise<number[]> {
  const end = scene.work()
  const committed = new Map<string, number>()
  const writes: Promise<unknown>[] = []
  const began = performance.now()
  for (let n = 0; n < perSecond * plan.seconds; n += 1) {
    const due = began + (1000 / perSecond) * n
    await sleep(Math.max(0, due - performance.now()))
    writes.push(scene.happen().then((id) => committed.set(id, Date.now())))
  }
  await Promise.all(writes)
  const arrived = new Map<string, number>()
  while (arrived.size < committed.size) {
    await sleep(20)
    for (const [id, at] of await scene.arrived()) arrived.set(id, at)
  }
  await end()
  return [...committed].map(([id, at]) => Math.max(0, (arrived.get(id) ?? Number.NaN) - at))
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
