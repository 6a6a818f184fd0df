import type { Outgoing, OutgoingName, Received } from '@svc/channel'
import { guardedAgent } from '@svc/outbound'
import type { Agent } from 'undici'
import { afterEach, expect } from 'vitest'
import { matrixChannel, matrixStream } from '../src/index.ts'
import type { Person } from './person.ts'
import type { Synapse } from './synapse.ts'

export const never = new AbortController().signal

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Connections as the worker has them; to this machine only where `open` says so. */
export function wireOf(open: readonly string[] = ['127.0.0.0/8']): Agent {
  const wire = guardedAgent({ open }, { connect_ms: 5_000, headers_ms: 500, body_ms: 500 })
  closers.push(() => wire.destroy())
  return wire
}

export const named = (message_id: string, revision = 1): OutgoingName => ({ message_id, revision })
export const words = (text: string, more: Partial<Outgoing> = {}): Outgoing => ({ text, ...more })

let users = 0
/** A name that no other test has. */
export const fresh = (name: string) => `${name}${(users += 1)}`

/** A room of a person, another one and the bot. */
export async function world(server: Synapse) {
  const [bot, ada, bob] = await Promise.all([
    server.register(fresh('bot'), 'Helper'),
    server.register(fresh('ada'), 'Ada'),
    server.register(fresh('bob'), 'Bob'),
  ])
  const invite = [bot.user_id, bob.user_id]
  const room = await ada.createRoom({ preset: 'private_chat', name: 'general', invite })
  await Promise.all([bot.join(room), bob.join(room)])
  return { server, bot, ada, bob, room, channel: channelOf(server, bot) }
}

export function channelOf(server: Synapse, bot: Person, wire: Agent = wireOf()) {
  return matrixChannel({ access_token: bot.access_token, homeserver_url: server.url, wire })
}

interface Following {
  readonly cursor?: string | null
  readonly take?: (received: readonly Received[]) => Promise<void>
}

/** Follows the sync of a bot until the test ends, or `stop`. */
export async function follow(server: Synapse, bot: Person, { cursor = null, take }: Following = {}) {
  const received: Received[] = []
  const cursors: string[] = []
  const stopped = new AbortController()
  const stream = matrixStream({
    ...{ access_token: bot.access_token, homeserver_url: server.url, wire: wireOf(), cursor, poll_ms: 3_000 },
    bot: { user_id: bot.user_id, name: 'Helper' },
    keep_cursor: async (kept) => void cursors.push(kept),
  })
  const ended = stream.follow(async (some) => {
    await take?.(some)
    received.push(...some)
  }, stopped.signal)
  ended.catch(() => {})
  const stop = async () => {
    stopped.abort()
    await ended.catch(() => {})
  }
  closers.push(stop)
  if (cursor === null) await expect.poll(() => cursors.length, { interval: 20 }).toBeGreaterThan(0)
  const bodies = () => received.map(({ body }) => body)
  const until = (count: number) =>
    expect.poll(() => received.length, { interval: 20, timeout: 15_000 }).toBe(count)
  return { received, bodies, cursors, stop, ended, until }
}
