import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { machine } from '../machine.ts'
import { round } from '../measure.ts'
import { benchLog } from '../serve-api.ts'
import { measureDecisions } from './decision.ts'
import { measureDiscover } from './discover.ts'
import { judged, type Verdict } from './figures.ts'
import { measureGate } from './gate.ts'
import { measureInbox } from './inbox.ts'
import { openPlace, type Place } from './place.ts'

/** See README.md. */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
  },
})
const plan = values.quick
  ? { calls: 100, turns: 3, turn_ms: 1_000, decisions: 50, searches: 70, looks: 2, counts: 100 }
  : { calls: 500, turns: 7, turn_ms: 2_000, decisions: 300, searches: 560, looks: 5, counts: 500 }

const parts: Readonly<Record<string, (place: Place) => Promise<readonly [object, readonly Verdict[]]>>> = {
  async gate(place) {
    const gate = await measureGate(place, plan)
    const { one, added_ms, per_second, throughput } = gate
    return [
      gate,
      [
        judged(
          'added to a call by gate, executor and ledger, beside the same server called directly',
          `p50 ${one.ours.p50_ms} ms beside ${one.direct.p50_ms} ms: ${added_ms} ms (mcp-proxy ${one.proxy.p50_ms} ms; two commits around a direct call ${one.floor.p50_ms} ms)`,
          added_ms,
          { most: 8, promise: 'p50 at most 8 ms' },
        ),
        judged(
          'calls a second, eight sessions at a time, beside the same server called directly',
          `${per_second.ours}/s beside ${per_second.direct}/s: ${throughput.direct}x (${throughput.proxy}x of ${per_second.proxy}/s by mcp-proxy; ${throughput.floor}x of ${per_second.floor}/s with two commits around a direct call)`,
          throughput.direct,
          { least: 0.4, promise: 'at least 0.4x' },
        ),
      ],
    ]
  },
  async decision(place) {
    const decision = await measureDecisions(place, plan.decisions)
    const { to_upstream, results, apart } = decision
    return [
      decision,
      [
        judged(
          'from a decision to the arrival of the call at its service',
          `p50 ${to_upstream.p50_ms} ms, p99 ${to_upstream.p99_ms} ms of ${to_upstream.runs}`,
          to_upstream.p99_ms,
          { most: 250, promise: 'p99 at most 250 ms' },
        ),
        {
          what: 'results whose message to the agent was written by another transaction',
          promise: 'none',
          measured: `${apart} of ${results}`,
          of_bound: apart,
          held: apart === 0,
        },
      ],
    ]
  },
  async discover(place) {
    const discover = await measureDiscover(place, plan.searches, plan.looks)
    const { actions, route, search, first } = discover
    return [
      discover,
      [
        judged(
          `a search in ${actions} actions`,
          `p50 ${route.p50_ms} ms, p99 ${route.p99_ms} ms (the index alone p50 ${search.p50_ms} ms; the first after a look at the service ${first.p50_ms} ms)`,
          route.p50_ms,
          { most: 10, promise: 'p50 at most 10 ms' },
        ),
      ],
    ]
  },
  async inbox(place) {
    const inbox = await measureInbox(place, plan.counts)
    const { rows, open, route, verb, select_one } = inbox
    return [
      inbox,
      [
        judged(
          `the inbox's number among ${rows} rows of which ${open} are open`,
          `p50 ${route.p50_ms} ms, p99 ${route.p99_ms} ms (the verb alone p99 ${verb.p99_ms} ms; \`select 1\` p99 ${select_one.p99_ms} ms)`,
          route.p99_ms,
          { most: 5, promise: 'p99 at most 5 ms' },
        ),
      ],
    ]
  },
}

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-connectors-'))
const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log: benchLog })
const figures: Record<string, object> = {}
const verdicts: Verdict[] = []
try {
  const place = await openPlace(postgres.connection_string, folder)
  for (const [name, measure] of Object.entries(parts)) {
    if (values.only !== undefined && values.only !== name) continue
    const [measured, judgements] = await measure(place)
    figures[name] = measured
    verdicts.push(...judgements)
  }
  await place.close()
} finally {
  await postgres.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

const result = { bench: 'connectors', machine: machine(), quick: values.quick, ...figures, verdicts }
console.info(`load average ${round(result.machine.load_average)}`)
for (const { what, promise, measured, of_bound, held } of verdicts)
  console.info(`${held ? 'held  ' : 'MISSED'} ${what}: ${measured} (${promise}; ${of_bound}x of that)`)
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(result, null, 2)}\n`)
if (verdicts.some(({ held }) => !held)) process.exitCode = 1
