import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../../../scripts/free-port.ts'

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

export interface RedisServer {
  readonly url: string
  start(): Promise<void>
  /** As a power cut: nothing is saved. */
  kill(): Promise<void>
  flush(): Promise<void>
  /** A write that would take more is refused; 0 is no limit. */
  limitMemory(bytes: string): Promise<void>
  close(): Promise<void>
}

/** A Redis of the test's own, on a free port of the loopback address. It is not started yet. */
export async function redisServer(): Promise<RedisServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'svc-redis-'))
  const url = `redis://127.0.0.1:${port}`
  let stop = async () => undefined as void
  const kill = () => stop()
  return {
    url,
    async start() {
      const args = [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--appendonly',
        'no',
        '--dir',
        folder,
      ]
      const child = spawn('redis-server', args, { stdio: 'ignore' })
      stop = async () => {
        stop = async () => undefined
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await withRedis(url, (redis) => redis.ping())
    },
    kill,
    flush: () => withRedis(url, (redis) => redis.flushall()),
    limitMemory: (bytes) => withRedis(url, (redis) => redis.config('SET', 'maxmemory', bytes)),
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function withRedis(url: string, use: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 20 })
  redis.on('error', () => undefined)
  await use(redis)
  redis.disconnect()
}
