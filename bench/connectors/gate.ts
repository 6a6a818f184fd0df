import { type Comparison, compare, round } from '../measure.ts'
import { openDirect, type Send } from './caller.ts'
import { quantile } from './figures.ts'
import type { Place } from './place.ts'

export interface GateFigures {
  /** One call after the other. */
  readonly one: Comparison
  readonly added_ms: number
  /** Eight at a time, of eight sessions. */
  readonly ours_per_second: number
  /** Eight at a time, of one session. */
  readonly one_session_per_second: number
  readonly direct_per_second: number
  /** The median of the ratios, turn by turn. */
  readonly throughput: number
}

export interface GatePlan {
  readonly calls: number
  readonly turns: number
  readonly turn_ms: number
}

/** As many as one session may have at once. */
const lanes = 8
const tool = 'get_issue'

/** Calls of a tool through the gate, the executor and the ledger, beside the same tool of the same server called directly. */
export async function measureGate(place: Place, plan: GatePlan): Promise<GateFigures> {
  const direct = await openDirect(place.mcp_url)
  const path = `/projects/${place.project_id}/connector-calls`
  let n = 0
  const args = () => ({ tag: `read ${(n += 1)}` })
  const callAs = async (agent: Send) => {
    const { status, body } = await agent('POST', path, {
      ...{ connector: 'few', action: tool, args: args() },
    })
    if (status !== 200) throw new Error(`A call was answered with ${status}: ${JSON.stringify(body)}`)
  }
  const ours = () => callAs(place.agent)
  const theirs = () => direct.call(tool, args())
  for (let warm = 0; warm < 200; warm += 1) await Promise.all([ours(), theirs()])
  await place.gatherStatistics()
  const one = await compare(plan.calls, ours, theirs)
  const rates = { ours: new Array<number>(), direct: new Array<number>() }
  const ofEach = (lane: number) => callAs(place.agents[lane] ?? place.agent)
  for (let turn = 0; turn <= plan.turns; turn += 1) {
    const own = () => rate(ofEach, plan.turn_ms)
    const other = () => rate(theirs, plan.turn_ms)
    const [first, second] = turn % 2 === 0 ? [await own(), await other()] : [await other(), await own()]
    process.stderr.write(turn === plan.turns ? '.\n' : '.')
    // The first turn warms up.
    if (turn === 0) continue
    rates.ours.push(turn % 2 === 0 ? first : second)
    rates.direct.push(turn % 2 === 0 ? second : first)
  }
  await direct.close()
  const one_session_per_second = round(await rate(ours, plan.turn_ms))
  return {
    one,
    added_ms: round(one.ours.p50_ms - one.peer.p50_ms),
    one_session_per_second,
    ours_per_second: quantile(rates.ours, 0.5),
    direct_per_second: quantile(rates.direct, 0.5),
    throughput: quantile(
      rates.ours.map((mine, turn) => mine / (rates.direct[turn] ?? mine)),
      0.5,
    ),
  }
}

async function rate(call: (lane: number) => Promise<void>, ms: number): Promise<number> {
  let answered = 0
  const began = performance.now()
  const loop = async (lane: number) => {
    while (performance.now() - began < ms) {
      await call(lane)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => loop(lane)))
  return answered / ((performance.now() - began) / 1000)
}
