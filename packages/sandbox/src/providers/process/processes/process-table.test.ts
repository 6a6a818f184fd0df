import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { listProcesses, signalProcess, usersOfProcesses } from './process-table.ts'
import { identify, isAlive } from '../../../shared/process-identity.ts'

describe('identify', () => {
  it('knows a living process by its beginning', async () => {
    const self = await identify(process.pid)
    expect(self).toMatchObject({ pid: process.pid })
    expect(self !== null && (await isAlive(self))).toBe(true)
  })

  it('takes the same id with another beginning for another process', async () => {
    const other = { pid: process.pid, began: 'before' }
    expect(await isAlive(other)).toBe(false)
    expect(await signalProcess(other, 'SIGKILL')).toBe(false)
  })

  it('ends exactly the process that was meant', async () => {
    const child = spawn('sleep', ['600'])
    await once(child, 'spawn')
    const identity = await identify(child.pid ?? 0)
    if (identity === null) throw new Error('The child is not seen.')
    const exited = once(child, 'exit')
    expect(await signalProcess(identity, 'SIGKILL')).toBe(true)
    await exited
    expect(await identify(identity.pid)).toBeNull()
  })
})

describe.runIf(process.platform === 'linux')('listProcesses', () => {
  it('shows this one with its parent and users', async () => {
    const self = (await listProcesses()).find((row) => row.pid === process.pid)
    expect(self).toMatchObject({ parent: process.ppid })
    expect(self?.uids).toContain(process.getuid?.())
    expect(await usersOfProcesses()).toContain(process.getuid?.())
  })
})
