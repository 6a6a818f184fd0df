import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { listProcesses, signalProcess, usersOfProcesses } from './process-table.ts'
import { identify } from '@svc/files'

describe('signalProcess', () => {
  it('spares another process that has the id now', async () => {
    expect(await signalProcess({ pid: process.pid, began: 'before' }, 'SIGKILL')).toBe(false)
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
