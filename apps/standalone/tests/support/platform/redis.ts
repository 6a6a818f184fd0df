import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { freePorts } from '../../../../../scripts/free-port.ts'
import { waitFor } from '../wait-for.ts'

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

export interface RedisServer {
  readonly url: string
  /** Forgets every job at once. */
  flush(): Promise<void>
  /** As a power cut: its data is gone, and it answers again after `start`. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** A Redis of the test's own that writes nothing to disk. */
export async function startRedis(): Promise<RedisServer> {
  const [port = 0] = await freePorts(1)
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', 'maxmemory-policy': 'noeviction' }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const begin = async () => {
    const child = spawn('redis-server', args, { stdio: 'ignore' })
    await waitFor('Redis answers', () => say(port, 'PING'), { every_ms: 20 })
    return child
  }
  let child = await begin()
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    flush: async () => void (await say(port, 'FLUSHALL')),
    kill: () => end('SIGKILL'),
    start: async () => void (child = await begin()),
    close: () => end('SIGTERM'),
  }
}

/** One command in Redis's inline form; its answer's first line. */
async function say(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write(`${command}\r\n`)
    const [answer]: unknown[] = await once(socket, 'data')
    const line = String(answer).split('\r\n')[0] ?? ''
    if (!line.startsWith('+')) throw new Error(`Redis answered ${line} to ${command}`)
    return line
  } finally {
    socket.destroy()
  }
}
