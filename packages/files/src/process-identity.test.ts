import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { identify, isAlive } from './process-identity.ts'

describe('identify', () => {
  test('knows a living process by its beginning', async () => {
    const self = await identify(process.pid)
    expect(self).toMatchObject({ pid: process.pid })
    expect(self !== null && (await isAlive(self))).toBe(true)
  })

  test('takes the same id with another beginning for another process', async () => {
    expect(await isAlive({ pid: process.pid, began: 'before' })).toBe(false)
  })

  test('knows none that has ended', async () => {
    const child = spawn('true')
    await once(child, 'exit')
    expect(await identify(child.pid ?? 0)).toBeNull()
  })

  test.runIf(process.platform === 'linux')('a zombie is dead, though its id is taken', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [line] = await once(parent.stdout, 'data')
    await expect.poll(() => identify(Number(line))).toBeNull()
    process.kill(Number(line), 0)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
  })
})
