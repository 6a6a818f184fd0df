import { describe, expect, test, vi } from 'vitest'
import { openPubSub } from '../src/index.ts'
import { hasRedis, redisServer } from './redis-server.ts'

if (!hasRedis) console.warn('Skipped: redis-server is not installed')

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const patient = { timeout: 30_000, interval: 50 }

describe.runIf(hasRedis)('messages over Redis', () => {
  test('are heard by those who listen to the topic, until they end it', async () => {
    const server = await redisServer()
    await server.start()
    const [here, there] = [openPubSub(server.url, { log }), openPubSub(server.url, { log })]
    try {
      const heard: unknown[] = []
      const end = here.subscribe('a', (message) => heard.push(message))
      await vi.waitFor(async () => {
        await there.publish([['a', { n: 0 }]])
        expect(heard).not.toEqual([])
      }, patient)
      heard.length = 0
      await there.publish([
        ['a', { n: 1 }],
        ['b', { n: 2 }],
        ['a', { n: 3 }],
      ])
      await vi.waitFor(() => expect(heard.slice(-2)).toEqual([{ n: 1 }, { n: 3 }]), patient)
      end()
      const others: unknown[] = []
      here.subscribe('b', (message) => others.push(message))
      await vi.waitFor(async () => {
        await there.publish([
          ['a', { n: 4 }],
          ['b', { n: 5 }],
        ])
        expect(others).not.toEqual([])
      }, patient)
      expect(heard).not.toContainEqual({ n: 4 })
    } finally {
      here.close()
      there.close()
      await server.close()
    }
  })
})
