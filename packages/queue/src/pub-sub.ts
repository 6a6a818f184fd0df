import { Redis } from 'ioredis'
import { type QueueLog, quieted } from './log.ts'
import { defaultPrefix } from './postgres-backend.ts'

export type Message = Readonly<Record<string, unknown>>

/** Messages between processes that may be lost: no caller waits for one, and none is stored. */
export interface PubSub {
  /** Sends all of them at once, in their order. */
  publish(messages: readonly (readonly [topic: string, message: Message])[]): Promise<void>
  /** Returns what ends it. */
  subscribe(topic: string, handler: (message: Message) => void): () => void
  close(): void
}

/**
 * Over Redis: a topic is a channel, which a process is subscribed to while it has a handler for it. What is said while
 * Redis is away is lost.
 */
export function openPubSub(
  url: string,
  { log, prefix = defaultPrefix }: { readonly log: QueueLog; readonly prefix?: string },
): PubSub {
  const on_fault = quieted(log)
  const connect = () => {
    const redis = new Redis(url, {
      connectTimeout: 2_000,
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      enableOfflineQueue: true,
      retryStrategy: (times) => Math.min(times * 100, 1_000),
    })
    redis.on('error', (error) => on_fault(error, 'There is no connection to Redis for messages'))
    return redis
  }
  const sending = connect()
  const hearing = connect()
  const handlers = new Map<string, Set<(message: Message) => void>>()
  const channelOf = (topic: string) => `${prefix}:${topic}`
  hearing.on('message', (channel: string, text: string) => {
    const message = JSON.parse(text) as Message
    for (const handler of handlers.get(channel) ?? []) handler(message)
  })
  const quietly = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => on_fault(error, 'A subscription to Redis did not change'))
  return {
    async publish(messages) {
      const pipeline = sending.pipeline()
      for (const [topic, message] of messages) pipeline.publish(channelOf(topic), JSON.stringify(message))
      await pipeline.exec()
    },
    subscribe(topic, handler) {
      const channel = channelOf(topic)
      const mine = handlers.get(channel) ?? new Set()
      if (mine.size === 0) quietly(hearing.subscribe(channel))
      handlers.set(channel, mine.add(handler))
      return () => {
        mine.delete(handler)
        if (mine.size > 0 || handlers.get(channel) !== mine) return
        handlers.delete(channel)
        quietly(hearing.unsubscribe(channel))
      }
    },
    close() {
      sending.disconnect()
      hearing.disconnect()
    },
  }
}
