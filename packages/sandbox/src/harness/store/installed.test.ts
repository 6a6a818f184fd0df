import { chmod, cp, mkdir, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type SmallInstall, smallInstall, smallVersion } from '../testing/small-install.ts'
import { detachInstalled, findInstalled, removeInstalled, verifyInstalled } from './installed.ts'
import { inScratch, sweepScratch } from './scratch.ts'
import { settle } from './settle.ts'

let install: SmallInstall
beforeEach(async () => {
  install = await smallInstall()
})
afterEach(() => install[Symbol.asyncDispose]())

/** Makes a folder of the install writable, as a disk that fails does not ask for modes either. */
async function open(path = ''): Promise<string> {
  const folder = join(install.folder, path)
  await chmod(folder, 0o755)
  return folder
}

describe('verifyInstalled', () => {
  test('finds an install whole', async () => {
    expect(await verifyInstalled(install.folder)).toBeNull()
  })

  test('names a file that is missing', async () => {
    await rm(join(await open('node_modules/a'), 'empty'))
    expect(await verifyInstalled(install.folder)).toBe('node_modules/a/empty is missing.')
  })

  test('names a file that has changed, even at the same size', async () => {
    const file = join(install.folder, 'node_modules', 'a', 'main.js')
    await chmod(file, 0o644)
    await writeFile(file, 'nur()\n')
    expect(await verifyInstalled(install.folder)).toBe('node_modules/a/main.js has changed.')
  })

  test('names a program that runs no more', async () => {
    await chmod(join(install.folder, 'node_modules', 'a', 'tool'), 0o444)
    expect(await verifyInstalled(install.folder)).toBe('node_modules/a/tool has changed.')
  })

  test('names a file that was not installed', async () => {
    await writeFile(join(await open('node_modules/a'), 'more.js'), '')
    expect(await verifyInstalled(install.folder)).toBe('node_modules/a/more.js was not installed.')
  })

  test('names a link that leads elsewhere, or out', async () => {
    const bin = await open('node_modules/.bin')
    await rm(join(bin, 'a'))
    await symlink('../a/tool', join(bin, 'a'))
    expect(await verifyInstalled(install.folder)).toBe('node_modules/.bin/a has changed.')
    await rm(join(bin, 'a'))
    await symlink('../../../../../etc/passwd', join(bin, 'a'))
    expect(await verifyInstalled(install.folder)).toBe(
      'The link node_modules/.bin/a leads out of the install.',
    )
  })

  test('says when the seal is missing, is damaged, or is of another install', async () => {
    const other = install.folder.replace(/.{12}$/, 'aaaaaaaaaaaa')
    await rename(await open(), other)
    expect(await verifyInstalled(other)).toBe('.svc-digest is of another install.')
    await rename(other, install.folder)
    const seal = join(install.folder, '.svc-digest')
    await chmod(seal, 0o644)
    await writeFile(seal, `${install.digest} small 1.0.0 x\npackage.json 0444 1 ${'0'.repeat(64)}\n`)
    expect(await verifyInstalled(install.folder)).toBe('.svc-digest does not fit its own digest.')
    await rm(seal)
    expect(await verifyInstalled(install.folder)).toBe('.svc-digest is missing.')
  })
})

describe('findInstalled', () => {
  const find = (more = {}) => findInstalled({ store: install.store, ...smallVersion, ...more })

  test('finds what is there, by name, version and target', async () => {
    const { folder, digest } = install
    expect(await find()).toEqual({ folder, digest })
    expect(await find({ lock_folder: install.lock_folder })).toEqual({ folder, digest })
    for (const other of [{ name: 'other' }, { version: '1.0.1' }, { target: 'linux-x64-glibc-node20' }])
      expect(await find(other)).toBeNull()
  })

  test('passes over a folder without its seal, and one of another lock file', async () => {
    await writeFile(join(install.lock_folder, 'package-lock.json'), '{}')
    expect(await find({ lock_folder: install.lock_folder })).toBeNull()
    await rm(join(await open(), '.svc-digest'))
    expect(await find()).toBeNull()
  })

  test('a store that is not there has nothing', async () => {
    expect(await find({ store: join(install.top, 'none') })).toBeNull()
  })
})

test('settle refuses a tree of another digest than the one that was promised', async () => {
  const settling = inScratch(install.store, 'small', (scratch) =>
    settle(scratch, install.store, smallVersion, { digest: install.digest }),
  )
  await expect(settling).rejects.toThrow(`not ${install.digest}`)
})

test('removeInstalled removes read-only folders, and what is gone is gone', async () => {
  await removeInstalled(install.folder)
  expect(await readdir(join(install.store, 'small'))).toEqual([])
  expect(await readdir(join(install.store, '.scratch'))).toEqual([])
  await removeInstalled(install.folder)
})

test('detachInstalled takes every install of a version from its place, and deletes it after', async () => {
  const twin = install.folder.replace(/[0-9a-f]{12}$/, '0'.repeat(12))
  await cp(install.folder, twin, { recursive: true, verbatimSymlinks: true })
  const clear = await detachInstalled({ store: install.store, ...smallVersion })
  expect(await readdir(join(install.store, 'small'))).toEqual([])
  expect(await readdir(join(install.store, '.scratch'))).toHaveLength(2)
  await clear()
  expect(await readdir(join(install.store, '.scratch'))).toEqual([])
  await (
    await detachInstalled({ store: install.store, ...smallVersion })
  )()
})

test('sweepScratch removes what gives no sign of life, and keeps what does', async () => {
  const scratch = join(install.store, '.scratch')
  for (const name of ['small-1.0.0-a', 'small-2.0.0-b', 'removed-c'])
    await mkdir(join(scratch, name, 'tree'), { recursive: true })
  await chmod(join(scratch, 'removed-c'), 0o555)
  const now = new Date()
  const longAgo = new Date(now.getTime() - 60 * 60_000)
  for (const name of ['small-1.0.0-a', 'removed-c']) await utimes(join(scratch, name), longAgo, longAgo)
  expect((await sweepScratch(install.store, now)).toSorted()).toEqual(['removed-c', 'small-1.0.0-a'])
  expect(await readdir(scratch)).toEqual(['small-2.0.0-b'])
  expect(await sweepScratch(join(install.top, 'none'), now)).toEqual([])
})

test('the work of a holder keeps its scratch from a sweep', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  try {
    await inScratch(install.store, 'small', async (folder) => {
      const longAgo = new Date(Date.now() - 60 * 60_000)
      await utimes(folder, longAgo, longAgo)
      vi.advanceTimersByTime(5_000)
      await expect.poll(async () => (await stat(folder)).mtimeMs).toBeGreaterThan(longAgo.getTime())
      expect(await sweepScratch(install.store, new Date())).toEqual([])
    })
  } finally {
    vi.useRealTimers()
  }
})
