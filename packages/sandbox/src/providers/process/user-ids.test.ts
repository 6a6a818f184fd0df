import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { closedFolder, fitRange } from './user-ids.ts'

describe('fitRange', () => {
  const wanted = { first: 200_000, count: 16_000_000 }

  it.each([
    ['a whole machine', { first: 0, count: 4_294_967_295 }, wanted],
    ['a container with 65536 ids', { first: 0, count: 65_536 }, { first: 20_000, count: 40_000 }],
    ['a container with one id', { first: 0, count: 1 }, null],
    ['no map at all', { first: 0, count: 0 }, null],
  ])('%s', (_, map, range) => {
    expect(fitRange(wanted, map)).toEqual(range)
  })
})

describe('closedFolder', () => {
  it('names the folder that keeps other users out', async () => {
    const top = await mkdtemp(join(tmpdir(), 'svc-closed-'))
    const inner = join(top, 'inner')
    await mkdir(inner)
    await chmod(inner, 0o711)
    expect(await closedFolder(inner)).toBe(top)
    await chmod(top, 0o711)
    expect(await closedFolder(inner)).toBeNull()
    await rm(top, { recursive: true })
  })
})
