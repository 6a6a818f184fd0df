import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { replaceFile, replaceFileSync } from './replace-file.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-files-'))
  path = join(folder, 'state')
})
afterEach(() => rm(folder, { recursive: true }))

const text = () => readFile(path, 'utf8')

describe.each([
  ['replaceFile', replaceFile],
  ['replaceFileSync', async (...args: Parameters<typeof replaceFileSync>) => replaceFileSync(...args)],
])('%s', (_name, replace) => {
  test('makes the file, and gives it new content', async () => {
    await replace(path, 'first')
    await replace(path, 'second', { flush: false })
    expect(await text()).toBe('second')
    expect(await readdir(folder)).toEqual(['state'])
  })

  test('lets its owner alone read it, unless told otherwise, whatever it was before', async () => {
    await writeFile(path, '')
    await chmod(path, 0o644)
    await replace(path, 'x')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await replace(path, 'x', { mode: 0o640 })
    expect((await stat(path)).mode & 0o777).toBe(0o640)
  })

  test('a draft that a crash left behind is harmless', async () => {
    await writeFile(path, 'old')
    await writeFile(`${path}.of-the-dead.draft`, 'half of the ne')
    expect(await text()).toBe('old')
    await replace(path, 'new')
    expect(await text()).toBe('new')
  })

  test('what fails leaves the old content and no draft', async () => {
    await expect(replace(join(folder, 'none', 'state'), 'x')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(replace(folder, 'x')).rejects.toThrow()
    expect(await readdir(folder)).toEqual([])
  })
})

test('a reader meets the old or the new, however many write', async () => {
  const [a, b] = ['a'.repeat(100_000), 'b'.repeat(100_000)]
  await replaceFile(path, a)
  const writing = Promise.all(
    Array.from({ length: 20 }, (_, n) => replaceFile(path, n % 2 === 0 ? a : b, { flush: false })),
  )
  for (let n = 0; n < 20; n += 1) expect([a, b]).toContain(await text())
  await writing
  expect(await readdir(folder)).toEqual(['state'])
})
