import { once } from 'node:events'
import { migrateSchema } from '@svc/platform'
import pg from 'pg'
import { z } from 'zod'
import { startChild, stopChild } from '../child.ts'
import { createSender, latencies, rate } from './load.ts'
import { median, quantile, round } from './measure.ts'

export interface WebhookFigures {
  readonly ours_per_second: number
  readonly peer_per_second: number
  /** The median of the ratios, turn by turn. */
  readonly rate_ratio: number
  readonly at_500: { readonly ours: Latency; readonly peer: Latency }
}

interface Latency {
  readonly deliveries: number
  readonly p50_ms: number
  readonly p99_ms: number
}

export interface WebhookPlan {
  readonly turns: number
  readonly turn_ms: number
  /** Of one turn. */
  readonly seconds_at_500: number
}

const connections = 32
const turnsAt500 = 7
const secret = 'the secret of the hook'
const Peer = z.object({ origin: z.url() })
const Server = Peer.extend({ token: z.string() })
const Project = z.object({ project_id: z.uuid() })

/** Persist-and-202 through the whole API, beside a bare route with one insert, in turns on the same PostgreSQL. */
export async function measureWebhooks(
  admin: string,
  folder: string,
  plan: WebhookPlan,
): Promise<WebhookFigures> {
  const url = await createHookDatabase(admin)
  const [server, peer] = [
    startChild(new URL('server.ts', import.meta.url), [folder, url]),
    startChild(new URL('peer.ts', import.meta.url), [url]),
  ]
  try {
    const { origin, token } = Server.parse((await once(server, 'message'))[0])
    const bare = Peer.parse((await once(peer, 'message'))[0])
    const ours = createSender(await declareHook(origin, token), secret, connections)
    const theirs = createSender(`${bare.origin}/hook`, secret, connections)
    const rates = { ours: new Array<number>(), peer: new Array<number>() }
    for (let turn = 0; turn <= plan.turns; turn += 1) {
      const own = () => rate(ours, connections, plan.turn_ms)
      const other = () => rate(theirs, connections, plan.turn_ms)
      const [first, second] = turn % 2 === 0 ? [await own(), await other()] : [await other(), await own()]
      process.stderr.write('.')
      if (turn === 0) continue
      rates.ours.push(turn % 2 === 0 ? first : second)
      rates.peer.push(turn % 2 === 0 ? second : first)
    }
    const paced = { ours: new Array<Latency>(), peer: new Array<Latency>() }
    for (let turn = 0; turn < turnsAt500; turn += 1) {
      paced.peer.push(latency(await latencies(theirs, 500, plan.seconds_at_500)))
      paced.ours.push(latency(await latencies(ours, 500, plan.seconds_at_500)))
      process.stderr.write('.')
    }
    const at_500 = { ours: middle(paced.ours), peer: middle(paced.peer) }
    process.stderr.write('\n')
    ours.close()
    theirs.close()
    return {
      ours_per_second: round(median(rates.ours)),
      peer_per_second: round(median(rates.peer)),
      rate_ratio: median(rates.ours.map((one, index) => one / (rates.peer[index] ?? one))),
      at_500,
    }
  } finally {
    await Promise.all([stopChild(server), stopChild(peer)])
  }
}

async function createHookDatabase(admin: string): Promise<string> {
  const root = new pg.Client({ connectionString: admin })
  await root.connect()
  await root.query('create database hooks')
  await root.end()
  const url = new URL(admin)
  url.pathname = '/hooks'
  await migrateSchema({ DATABASE_URL: url.href })
  return url.href
}

/** A project whose default branch has the webhook; its address. */
async function declareHook(origin: string, token: string): Promise<string> {
  const call = async (method: string, path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${origin}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? null : response.json()
  }
  const { project_id } = Project.parse(await call('POST', '/projects/provision', { name: 'Bench' }))
  await call('PUT', `/projects/${project_id}/secrets/HOOK_SECRET`, { value: secret })
  await call('POST', `/projects/${project_id}/triggers`, {
    slug: 'hook',
    type: 'webhook',
    secret_env: 'HOOK_SECRET',
    prompt: '{{ body.repository.full_name }}: {{ body.head_commit.message }}',
  })
  return `${origin}/v1/webhooks/projects/${project_id}/hook`
}

/** The median of the turns: a stall of the disk that a few turns met is none of the figure. */
function middle(turns: readonly Latency[]): Latency {
  return {
    deliveries: turns.reduce((sum, { deliveries }) => sum + deliveries, 0),
    p50_ms: median(turns.map(({ p50_ms }) => p50_ms)),
    p99_ms: median(turns.map(({ p99_ms }) => p99_ms)),
  }
}

function latency(times: readonly number[]): Latency {
  return { deliveries: times.length, p50_ms: quantile(times, 0.5), p99_ms: quantile(times, 0.99) }
}
