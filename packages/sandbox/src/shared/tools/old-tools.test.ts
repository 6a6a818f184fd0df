import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepTools, removeOldTools } from './old-tools.ts'

let root: string
const now = Date.now()
const hours = (count: number) => new Date(now - count * 3_600_000)

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-old-tools-'))
  for (const [name, age] of [
    ['current', 48],
    ['fresh', 1],
    ['stale', 48],
    ['running', 48],
    ['.draft-1', 48],
  ] as const) {
    await mkdir(join(root, name, 'bin'), { recursive: true })
    await utimes(join(root, name), hours(age), hours(age))
  }
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('the tools of earlier releases', () => {
  it('go when no sandbox runs from them and nobody used them for a day', async () => {
    const processes = async () => `--ro-bind\0${root}/running\0/usr/local`
    expect((await removeOldTools(join(root, 'current'), { now, processes })).toSorted()).toEqual([
      '.draft-1',
      'stale',
    ])
    expect((await readdir(root)).toSorted()).toEqual(['current', 'fresh', 'running'])
  })

  it('stay where nobody can say what runs', async () => {
    expect(await removeOldTools(join(root, 'current'), { now, processes: async () => null })).toEqual([])
    expect(await readdir(root)).toHaveLength(5)
  })

  it('stay fresh while a worker has them', async () => {
    const folder = join(root, 'stale')
    const release = keepTools(folder)
    await expect.poll(async () => (await stat(folder)).mtimeMs).toBeGreaterThan(hours(1).getTime())
    release()
  })
})
