import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withLock } from './lock.ts'
import { identify } from './process-identity.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-lock-'))
  path = join(folder, 'lock')
})

afterEach(() => rm(folder, { recursive: true }))

/** Counts how many hold the lock at the same moment. */
function crowd() {
  let inside = 0
  let max = 0
  const enter = () =>
    withLock(path, async () => {
      inside += 1
      max = Math.max(max, inside)
      await turn()
      await readdir(folder)
      inside -= 1
    })
  return { enter, most: () => max }
}

describe('withLock', () => {
  it('gives back what the work gives, and leaves nothing behind', async () => {
    expect(await withLock(path, async () => 7)).toBe(7)
    expect(await readdir(folder)).toEqual([])
  })

  it('is released when the work fails', async () => {
    await expect(withLock(path, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await withLock(path, async () => 'again')).toBe('again')
  })

  it('lets one in at a time', async () => {
    const { enter, most } = crowd()
    await Promise.all(Array.from({ length: 12 }, enter))
    expect(most()).toBe(1)
  })

  it('names its owner while it is held', async () => {
    const self = await identify(process.pid)
    await withLock(path, async () => {
      expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid, began: self?.began })
    })
  })

  it.each([
    ['a dead process', async () => tokenOf(await deadPid(), 'long ago')],
    ['another process that has the id now', async () => tokenOf(process.pid, 'long ago')],
    ['nobody can tell whom', async () => 'gibberish'],
  ])('is broken once when it belonged to %s', async (_, token) => {
    await writeFile(path, await token())
    const { enter, most } = crowd()
    await Promise.all(Array.from({ length: 12 }, enter))
    expect(most()).toBe(1)
    expect(await readdir(folder)).toEqual([])
  })
})

const tokenOf = (pid: number, began: string) => JSON.stringify({ pid, began, nonce: 'x' })

async function deadPid(): Promise<number> {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid ?? 0
}
