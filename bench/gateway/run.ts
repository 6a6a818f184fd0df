import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createDatabase, migrate } from '@svc/db'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { z } from 'zod'
import { startChild, stopChild } from '../child.ts'
import { machine } from '../machine.ts'
import { round, summarise } from '../measure.ts'
import { ask, askMany, type Way } from './client.ts'
import { gatherStatistics } from './gather-statistics.ts'
import { startPeer } from './peer.ts'
import { makeScene } from './scene.ts'

/** See README.md. */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const plan = values.quick
  ? { first_bytes: 60, paced: { calls: 40, lanes: 20, pieces: 50, pause_ms: 10 }, rounds: 1, many: 200 }
  : { first_bytes: 400, paced: { calls: 150, lanes: 50, pieces: 200, pause_ms: 10 }, rounds: 3, many: 1_000 }
const flood = { calls: 16, lanes: 4, pieces: 5_000, pause_ms: 0 }
const promised = { added_ms: 3, throughput: 0.9, rss_mb: 400 }

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-gateway-'))
const nothing = () => undefined
const log = { debug: nothing, info: nothing, warn: nothing, error: console.error }
const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log })
await migrate(postgres.connection_string)
const db = createDatabase(postgres.connection_string)

const Started = z.object({ port: z.number() })
async function start(file: string, args: readonly string[]) {
  const child = startChild(new URL(file, import.meta.url), args)
  const [message] = await once(child, 'message')
  return { child, port: Started.parse(message).port }
}
const upstream = await start('./upstream.ts', [])
const origin = `http://127.0.0.1:${upstream.port}`
const key = await makeScene(db, origin)
const gateway = await start('../../apps/gateway/tests/kills/run-gateway.ts', [postgres.connection_string])
const floored = await start('./floor.ts', [postgres.connection_string, `${origin}/v1/chat/completions`])
const peer = await startPeer(join(folder, 'peer'))

const direct: Way = { name: 'direct', url: `${origin}/v1/chat/completions`, headers: {}, model: 'm1' }
const ours: Way = {
  name: 'this gateway',
  url: `http://127.0.0.1:${gateway.port}/v1/llm/chat/completions`,
  headers: { authorization: `Bearer ${key}` },
  model: 'acme/m1',
}
const other: Way = {
  name: 'portkey',
  url: `http://127.0.0.1:${peer.port}/v1/chat/completions`,
  headers: {
    authorization: 'Bearer x',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${origin}/v1`,
  },
  model: 'm1',
}
/** One commit and one hop, and nothing else: what a hold that is kept before the call costs by itself. */
const floor: Way = { name: 'the floor', url: `http://127.0.0.1:${floored.port}/`, headers: {}, model: 'm1' }
const ways = [direct, ours, other]
const first_ways = [direct, floor, ours, other]

/** Resident memory of a process, in megabytes. */
async function residentMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
}

/** The time of a processor that a process took so far, in milliseconds. */
async function cpuMs({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) * 10
}

// A gateway that serves has its code compiled by what it served.
for (const way of first_ways) for (let n = 0; n < 300; n += 1) await ask(way, 2, 0)
await gatherStatistics(postgres.connection_string)

const measured = [floored.child, gateway.child]
const before = await Promise.all(measured.map(cpuMs))
const firsts = new Map<Way, number[]>(first_ways.map((way) => [way, []]))
for (let n = 0; n < plan.first_bytes; n += 1)
  for (const way of n % 2 === 0 ? first_ways : first_ways.toReversed())
    firsts.get(way)?.push((await ask(way, 2, 0)).first_ms)
const after = await Promise.all(measured.map(cpuMs))
const [floor_cpu_ms, our_cpu_ms] = after.map((ms, at) => round((ms - (before[at] ?? 0)) / plan.first_bytes))
const first = (way: Way) => summarise(firsts.get(way) ?? [])

/** The least time of some rounds, in which the ways take turns. */
async function leastTime(work: Parameters<typeof askMany>[1]): Promise<Map<Way, number>> {
  const least = new Map<Way, number>()
  for (let n = 0; n < plan.rounds; n += 1)
    for (const way of n % 2 === 0 ? ways : ways.toReversed())
      least.set(way, Math.min(least.get(way) ?? Infinity, await askMany(way, work)))
  return least
}
const paced = await leastTime(plan.paced)
const flooded = await leastTime(flood)
const beside = (times: Map<Way, number>, way: Way) =>
  round((times.get(direct) ?? 0) / (times.get(way) ?? Infinity))

// So many streams at once, for some seconds, in one process.
let rss_mb = 0
const looking = setInterval(() => {
  void residentMb(gateway.child).then((now) => (rss_mb = Math.max(rss_mb, now)))
}, 200)
await askMany(ours, { calls: plan.many, lanes: plan.many, pieces: 16, pause_ms: 500 })
clearInterval(looking)

const added = (way: Way) => round(first(way).p50_ms - first(direct).p50_ms)
const added_ms = added(ours)
const throughput = beside(paced, ours)
const result = {
  bench: 'gateway',
  machine: machine(),
  quick: values.quick,
  first_byte: { direct: first(direct), floor: first(floor), ours: first(ours), portkey: first(other) },
  cpu_ms_per_call: { floor: floor_cpu_ms, ours: our_cpu_ms },
  added_ms: { floor: added(floor), ours: added_ms, portkey: added(other) },
  throughput_of_direct: { ours: throughput, portkey: beside(paced, other) },
  flood_of_direct: { ours: beside(flooded, ours), portkey: beside(flooded, other) },
  streams_at_once: { streams: plan.many, rss_mb },
}
console.info(JSON.stringify(result, null, 2))
const verdicts = [
  [added_ms <= promised.added_ms, `${added_ms} ms added to the first byte, promised ${promised.added_ms}`],
  [throughput >= promised.throughput, `${throughput}x of direct streams, promised ${promised.throughput}x`],
  [rss_mb <= promised.rss_mb, `${rss_mb} MB with ${plan.many} streams, promised ${promised.rss_mb}`],
] as const
for (const [held, words] of verdicts) console.info(`${held ? 'held  ' : 'MISSED'} ${words}`)
process.exitCode = verdicts.every(([held]) => held) ? 0 : 1

await Promise.all([stopChild(gateway.child), stopChild(floored.child), stopChild(upstream.child)])
peer.process.kill()
await db.destroy()
await postgres.close()
await rm(folder, { recursive: true, force: true, maxRetries: 5 })
