import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFile, createFileSync } from './create-file.ts'
import { lacksLinks } from './error-code.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-files-'))
  path = join(folder, 'key')
})
afterEach(() => rm(folder, { recursive: true }))

describe.each([
  ['createFile', createFile],
  ['createFileSync', async (...args: Parameters<typeof createFileSync>) => createFileSync(...args)],
])('%s', (_name, create) => {
  test('makes a file once, and never touches one that is there', async () => {
    expect(await create(path, 'first')).toBe(true)
    expect(await create(path, 'second')).toBe(false)
    expect(await readFile(path, 'utf8')).toBe('first')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['key'])
  })

  test('of many that come at once one makes it', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, (_, n) => create(path, `${n}`)))
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await readFile(path, 'utf8')).toBe(`${made.indexOf(true)}`)
  })

  test('a draft that a crash left behind does not count as the file', async () => {
    await writeFile(`${path}.of-the-dead.draft`, 'half of the ke')
    expect(await create(path, 'whole')).toBe(true)
    expect(await readFile(path, 'utf8')).toBe('whole')
  })

  test('a folder that is not there is refused, and nothing is left', async () => {
    await expect(create(join(folder, 'none', 'key'), 'x')).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await readdir(folder)).toEqual([])
  })
})

test('a file system without links is told by its refusal', () => {
  expect(lacksLinks(Object.assign(new Error('no links here'), { code: 'EPERM' }))).toBe(true)
  expect(lacksLinks(Object.assign(new Error('there is one'), { code: 'EEXIST' }))).toBe(false)
})
