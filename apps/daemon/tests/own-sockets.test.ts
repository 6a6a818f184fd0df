import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { createIsOurs } from '../src/proxy/own-sockets.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const listen = `require('net').createServer().listen(0, process.argv[1], function () { console.log(this.address().port) })`

/** A program that listens on a free port of `host`, with this environment and nothing else. */
async function serve(host: string, environment: Record<string, string>, wrapped = false): Promise<number> {
  const node = [process.execPath, '-e', listen, host]
  const [file = '', ...args] = wrapped ? ['/bin/sh', '-c', '/usr/bin/env -i "$0" "$@" & wait', ...node] : node
  const child = spawn(file, args, { env: environment, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  ends.push(() => process.kill(-(child.pid ?? 0), 'SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  return Number(String(line))
}

test.runIf(process.platform === 'linux')(
  'what this sandbox listens on is ours, a neighbour’s port is not',
  async () => {
    const id = `sbx_${randomUUID()}`
    const isOurs = createIsOurs(id)
    const own = await serve('127.0.0.1', { SVC_SANDBOX_ID: id })
    const everywhere = await serve('::', { SVC_SANDBOX_ID: id })
    const forgetful = await serve('127.0.0.1', { SVC_SANDBOX_ID: id }, true)
    const neighbour = await serve('127.0.0.1', { SVC_SANDBOX_ID: 'sbx_other' })
    const machine = await serve('0.0.0.0', {})
    expect(await isOurs('127.0.0.1', own)).toBe(true)
    expect(await isOurs('127.0.0.1', everywhere)).toBe(true)
    expect(await isOurs('127.0.0.1', forgetful)).toBe(true)
    expect(await isOurs('127.0.0.1', neighbour)).toBe(false)
    expect(await isOurs('127.0.0.1', machine)).toBe(false)
    expect(await isOurs('127.0.0.2', machine)).toBe(false)
    expect(await createIsOurs(undefined)('127.0.0.1', neighbour)).toBe(true)
  },
)
