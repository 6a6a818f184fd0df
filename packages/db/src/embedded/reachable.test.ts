import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reachableByOthers } from './reachable.ts'

let temp: string
beforeAll(async () => {
  temp = await mkdtemp(join(tmpdir(), 'svc-reachable-'))
  await mkdir(join(temp, 'a/b'), { recursive: true })
  await chmod(temp, 0o711)
})
afterAll(() => rm(temp, { recursive: true, force: true }))

test('a folder is reachable when every folder above it lets others pass', async () => {
  expect(await reachableByOthers(join(temp, 'a/b'))).toBe(true)
  expect(await reachableByOthers(join(temp, 'a/b/not/there/yet'))).toBe(true)
  await chmod(join(temp, 'a'), 0o700)
  expect(await reachableByOthers(join(temp, 'a/b'))).toBe(false)
})
