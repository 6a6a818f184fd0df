import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, migrate } from '@svc/db'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { usageOf } from '@svc/models'
import { admitCall, settleCall } from '@svc/spend'
import { callOf, card, makeBudget, makePlace } from '../../packages/spend/tests/support/place.ts'
import { machine } from '../machine.ts'
import { summarise } from '../measure.ts'
import { gatherStatistics } from './gather-statistics.ts'

const lanes = 16
const callsPerLane = 250
const promised = 500

/** Admissions and settlements of calls that all stand on one row of one budget. */
const data_dir = await mkdtemp(join(tmpdir(), 'svc-bench-'))
const nothing = () => undefined
const log = { debug: nothing, info: nothing, warn: nothing, error: console.error }
const server = await startEmbeddedPostgres({ data_dir, log })
await migrate(server.connection_string)
const db = createDatabase(server.connection_string, { max: lanes })
const ctx = { db, now: () => new Date(), newId: () => randomUUID() }
const place = await makePlace(db)
await makeBudget(db, place, { level: 'project', period: 'month', cap_micros: 1_000_000_000_000 })

const admitted: number[] = []
const settled: number[] = []
/** Each lane admits, or admits and settles, its calls one after the other; calls a second of all lanes. */
async function measure(settles: boolean): Promise<number> {
  const began = performance.now()
  const lane = async () => {
    for (let n = 0; n < callsPerLane; n += 1) {
      const call = callOf(place, { call_id: randomUUID() })
      const from = performance.now()
      await admitCall(ctx, call)
      admitted.push(performance.now() - from)
      if (!settles) continue
      const between = performance.now()
      const usage = usageOf({ input_tokens: 500, output_tokens: 20 })
      const ended = { event: 'finish', http_status: 200, estimated: false, usage, card } as const
      await settleCall(ctx, { call_id: call.call_id, ...ended })
      settled.push(performance.now() - between)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return Math.round((lanes * callsPerLane * 1000) / (performance.now() - began))
}

await measure(true)
await gatherStatistics(server.connection_string)
admitted.length = 0
settled.length = 0
const admit_and_settle = await measure(true)
const admits = await measure(false)
const result = {
  machine: machine(),
  lanes,
  admits_per_second: admits,
  admit_and_settle_per_second: admit_and_settle,
  admit: summarise(admitted),
  settle: summarise(settled),
}
console.log(JSON.stringify(result, null, 2))
await db.destroy()
await server.close()
await rm(data_dir, { recursive: true, force: true })
process.exitCode = admits >= promised ? 0 : 1
