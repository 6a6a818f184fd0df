import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataKey } from './data-key.ts'
import { loadMasterKeys, loadOrCreateMasterKey, parseMasterKey } from './master-key.ts'
import { createVault } from './vault.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-vault-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('is read from bytes, hex and base64', () => {
  const key = randomBytes(32)
  for (const text of [
    key,
    key.toString('hex'),
    key.toString('base64'),
    key.toString('base64url'),
    `${key.toString('hex')}\n`,
  ])
    expect(parseMasterKey(text)).toEqual(key)
})

test.each(['', 'password', 'a'.repeat(63), 'z'.repeat(64), Buffer.alloc(16)])('%j is no key', (text) => {
  expect(() => parseMasterKey(text)).toThrow('32 random bytes')
})

test('is made once, for this user only', async () => {
  const path = join(folder, 'deep/er/master.key')
  const key = loadOrCreateMasterKey(path)
  expect(key).toHaveLength(32)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(loadOrCreateMasterKey(path)).toEqual(key)
  expect(await readdir(join(folder, 'deep/er'))).toEqual(['master.key'])
})

test('a key that others can read, or that is none, is refused and not replaced', async () => {
  const path = join(folder, 'master.key')
  loadOrCreateMasterKey(path)
  await chmod(path, 0o644)
  expect(() => loadOrCreateMasterKey(path)).toThrow('can be read by others')
  await writeFile(path, 'half a k')
  await chmod(path, 0o600)
  expect(() => loadOrCreateMasterKey(path)).toThrow('32 random bytes')
})

test('a key that was moved aside opens what it sealed, under its own name and under the one it had', async () => {
  const path = join(folder, 'master.key')
  const first = loadMasterKeys(path)
  expect(first.others).toEqual({ operator: first.key })
  await rename(path, `${path}.old`)
  const second = loadMasterKeys(path)
  expect(second.key).not.toEqual(first.key)
  expect(second.key_id).not.toBe(first.key_id)
  expect(second.others).toEqual({ operator: first.key, [first.key_id]: first.key })
  const { data_key, sealed } = createVault(first.key, first).createDataKey(['p'])
  const vault = createVault(second.key, second)
  expect(DataKey.areSame(vault.openDataKey(vault.rewrap(sealed, ['p']), ['p']), data_key)).toBe(true)
})
