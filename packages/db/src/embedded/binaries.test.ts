import { chmod, cp, mkdtemp, readlink, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBinaries, runnableBinaries } from './binaries.ts'

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const owner = { uid: 64001, gid: 64001 }
let temp: string
let closed: string
let copies: string

beforeAll(async () => {
  temp = await mkdtemp(join(tmpdir(), 'svc-binaries-'))
  await chmod(temp, 0o711)
  closed = join(temp, 'closed/package')
  copies = join(temp, 'copies')
  await cp(findBinaries(), closed, { recursive: true, verbatimSymlinks: true })
  await rm(join(closed, 'native/lib/libpq.so.5'), { force: true })
  await chmod(join(temp, 'closed'), 0o700)
})
afterAll(() => rm(temp, { recursive: true, force: true }))

test('the user of this process runs them where they are, with the links that npm drops', async () => {
  const found = await runnableBinaries(closed, copies, undefined, log)
  expect(found.native_dir).toBe(join(closed, 'native'))
  expect(found.version.startsWith(`${found.major}.`)).toBe(true)
  expect(await readlink(join(closed, 'native/lib/libpq.so.5'))).toMatch(/^libpq\.so/)
})

test('another user gets a readable copy when they lie in a closed folder', async () => {
  const found = await runnableBinaries(closed, copies, owner, log)
  expect(found.native_dir.startsWith(copies)).toBe(true)
  expect((await stat(join(found.native_dir, 'bin/postgres'))).mode & 0o777).toBe(0o755)
  expect(await readlink(join(found.native_dir, 'lib/libpq.so.5'))).toMatch(/^libpq\.so/)
  expect(await runnableBinaries(closed, copies, owner, log)).toEqual(found)
})

test('a machine without binaries is told what to do', () => {
  expect(() => findBinaries('aix', 'ppc64')).toThrow('set DATABASE_URL')
})
