import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { z } from 'zod'
import { startChild, stopChild } from '../child.ts'
import { round, summarise } from '../measure.ts'
import { createReader, rate, type Reader } from './load.ts'
import { cpuMs } from './cpu.ts'
import { seedSessions } from './seed.ts'

export interface Rates {
  readonly ours_per_second: number
  readonly peer_per_second: number
  /** The median of the ratios, turn by turn. */
  readonly ratio: number
  /** Processor time that the API and its PostgreSQL take for one answer of each; null where it cannot be read. */
  readonly cpu_ms: { readonly ours: number; readonly peer: number; readonly ratio: number } | null
}

export interface ReadFigures {
  /** One row for a bearer token, beside a bare route without one. */
  readonly one_row: Rates
  /** `ours` is the 304, `peer` the 200 of the same page; `cost` is the share of a 200 that a 304 costs. */
  readonly unchanged: Rates & {
    readonly cost: number
    readonly page_bytes: number
    readonly sessions: number
  }
}

export interface ReadPlan {
  readonly turns: number
  readonly turn_ms: number
  /** Answers that come before any is counted: the programs are compiled as they run. */
  readonly warm_up: number
}

export const connections = 16
const sessions = 50
const Peer = z.object({ origin: z.url() })
const Server = Peer.extend({ token: z.string() })
const Project = z.object({ project_id: z.uuid() })

/** Reads through the whole API, in turns with what each is measured against, on one PostgreSQL. */
export async function measureReads(url: string, folder: string, plan: ReadPlan): Promise<ReadFigures> {
  const server = startChild(new URL('server.ts', import.meta.url), [folder, url])
  const peer = startChild(new URL('peer.ts', import.meta.url), [url])
  const spent = (child: ChildProcess) => () => cpuMs(child.pid)
  const readers: Reader[] = []
  try {
    const { origin, token } = Server.parse((await once(server, 'message'))[0])
    const bare = Peer.parse((await once(peer, 'message'))[0])
    const headers = { authorization: `Bearer ${token}` }
    const project_id = await provision(origin, headers)
    await seedSessions(url, project_id, sessions)
    const reader = (address: string, more: Readonly<Record<string, string>> = {}) => {
      const made = createReader(address, { ...headers, ...more }, connections)
      readers.push(made)
      return made
    }
    const path = `/v1/projects/${project_id}`
    const list = `${origin}${path}/sessions?limit=${sessions}`
    const whole = reader(list)
    const { etag = '', bytes } = await whole.read()
    const one_row = await inTurns(
      plan,
      [reader(`${origin}${path}`), 200, spent(server)],
      [reader(`${bare.origin}${path}`), 200, spent(peer)],
    )
    const unchanged = await inTurns(
      plan,
      [reader(list, { 'if-none-match': etag }), 304, spent(server)],
      [whole, 200, spent(server)],
    )
    return {
      one_row,
      unchanged: { ...unchanged, cost: round(1 / unchanged.ratio), page_bytes: bytes, sessions },
    }
  } finally {
    for (const one of readers) one.close()
    await Promise.all([stopChild(server), stopChild(peer)])
  }
}

export type Side = readonly [reader: Reader, status: number, spent: () => number | null]

/** Rates of both, turn by turn, so that whatever else the machine does meets both. */
export async function inTurns({ turns, turn_ms, warm_up }: ReadPlan, ours: Side, peer: Side): Promise<Rates> {
  const rates = { ours: new Array<number>(), peer: new Array<number>() }
  const cpu = { ours: new Array<number>(), peer: new Array<number>() }
  const measure = async (name: 'ours' | 'peer', turn: number) => {
    const [reader, status, spent] = name === 'ours' ? ours : peer
    const before = spent()
    const { per_second, answered } = await rate(
      reader,
      connections,
      turn_ms,
      status,
      turn === 0 ? warm_up : 0,
    )
    const after = spent()
    // The first turn warms both up.
    if (turn === 0) return
    rates[name].push(per_second)
    if (before !== null && after !== null) cpu[name].push((after - before) / answered)
  }
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const name of turn % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const))
      await measure(name, turn)
    process.stderr.write('.')
  }
  process.stderr.write('\n')
  const middle = (values: readonly number[]) => summarise(values).p50_ms
  const [own, other] = [middle(cpu.ours), middle(cpu.peer)]
  return {
    ours_per_second: middle(rates.ours),
    peer_per_second: middle(rates.peer),
    ratio: middle(rates.ours.map((one, index) => one / (rates.peer[index] ?? one))),
    cpu_ms: cpu.ours.length === 0 ? null : { ours: own, peer: other, ratio: round(own / other) },
  }
}

async function provision(origin: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(`${origin}/v1/projects/provision`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench' }),
  })
  return Project.parse(await response.json()).project_id
}

export async function createBenchDatabase(admin: string): Promise<string> {
  const root = new pg.Client({ connectionString: admin })
  await root.connect()
  await root.query('create database reads')
  await root.end()
  const url = new URL(admin)
  url.pathname = '/reads'
  return url.href
}
