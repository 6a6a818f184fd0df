import { round, timed } from '../measure.ts'
import { openDirect, type Send } from './caller.ts'
import { quantile, type Times, timesOf } from './figures.ts'
import { openFloor } from './floor.ts'
import { startPeer } from './peer.ts'
import type { Place } from './place.ts'

/** The call itself, the same server called directly, the same behind another proxy, and two commits around a direct call. */
const ways = ['ours', 'direct', 'proxy', 'floor'] as const
type Way = (typeof ways)[number]
type OfEach<T> = Readonly<Record<Way, T>>

export interface GateFigures {
  /** One call after the other. */
  readonly one: OfEach<Times>
  readonly added_ms: number
  /** Eight at a time; ours of eight sessions. */
  readonly per_second: OfEach<number>
  /** Ours of one session. */
  readonly one_session_per_second: number
  /** Ours by that of another way: the median of the ratios, turn by turn. */
  readonly throughput: Readonly<Record<Exclude<Way, 'ours'>, number>>
}

export interface GatePlan {
  readonly calls: number
  readonly turns: number
  readonly turn_ms: number
}

/** As many as one session may have at once. */
const lanes = 8
const tool = 'get_issue'

/** Calls of a tool through the gate, the executor and the ledger, beside the same tool of the same server. */
export async function measureGate(place: Place, plan: GatePlan): Promise<GateFigures> {
  const peer = await startPeer(place.folder, place.mcp_url)
  const [direct, proxy] = await Promise.all([openDirect(place.mcp_url), openDirect(peer.url)])
  const path = `/projects/${place.project_id}/connector-calls`
  let n = 0
  const args = () => ({ tag: `read ${(n += 1)}` })
  const callAs = async (agent: Send) => {
    const { status, body } = await agent('POST', path, {
      ...{ connector: 'few', action: tool, args: args() },
    })
    if (status !== 200) throw new Error(`A call was answered with ${status}: ${JSON.stringify(body)}`)
  }
  const floor = await openFloor(place.url, () => direct.call(tool, args()))
  const call: OfEach<(lane: number) => Promise<void>> = {
    ours: (lane) => callAs(place.agents[lane] ?? place.agent),
    direct: () => direct.call(tool, args()),
    proxy: () => proxy.call(tool, args()),
    floor: () => floor.call(),
  }
  for (let warm = 0; warm < 200; warm += 1) await Promise.all(ways.map((way) => call[way](warm % lanes)))
  await place.gatherStatistics()
  const times = ofEach<number[]>(() => [])
  for (let turn = 0; turn < plan.calls; turn += 1)
    for (const way of turn % 2 === 0 ? ways : ways.toReversed())
      times[way].push(await timed(() => call[way](0)))
  const rates = ofEach<number[]>(() => [])
  for (let turn = 0; turn <= plan.turns; turn += 1) {
    for (const way of turn % 2 === 0 ? ways : ways.toReversed()) {
      const found = await rate(call[way], plan.turn_ms)
      // The first turn warms up.
      if (turn > 0) rates[way].push(found)
    }
    process.stderr.write(turn === plan.turns ? '.\n' : '.')
  }
  const one_session_per_second = round(await rate(() => callAs(place.agent), plan.turn_ms))
  await Promise.all([direct.close(), proxy.close(), floor.close()])
  await peer.close()
  const one = ofEach((way) => timesOf(times[way]))
  const by = (way: Way) =>
    quantile(
      rates.ours.map((mine, turn) => mine / (rates[way][turn] ?? mine)),
      0.5,
    )
  return {
    ...{ one, one_session_per_second },
    added_ms: round(one.ours.p50_ms - one.direct.p50_ms),
    per_second: ofEach((way) => Math.round(quantile(rates[way], 0.5))),
    throughput: { direct: by('direct'), proxy: by('proxy'), floor: by('floor') },
  }
}

const ofEach = <T>(make: (way: Way) => T): OfEach<T> => ({
  ours: make('ours'),
  direct: make('direct'),
  proxy: make('proxy'),
  floor: make('floor'),
})

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
