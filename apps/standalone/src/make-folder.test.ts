import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-folder-'))
})
afterAll(() => rm(root, { recursive: true }))

test('a folder is made with those above it, and may be there already', async () => {
  const path = join(root, 'a/b/c')
  await makeFolder(path, 0o700)
  await makeFolder(path, 0o700)
  expect((await stat(path)).isDirectory()).toBe(true)
})

test('a file in its place is refused', async () => {
  const path = join(root, 'file')
  await writeFile(path, '')
  await expect(makeFolder(path, 0o700)).rejects.toThrow('EEXIST')
  await expect(makeFolder(join(path, 'below'), 0o700)).rejects.toThrow('ENOTDIR')
})

test.runIf(process.platform === 'linux')('a place that takes no folders is refused, and soon', async () => {
  await expect(makeFolder('/proc/svc/data', 0o700)).rejects.toThrow('ENOENT')
})
