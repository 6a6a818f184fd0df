import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertSetting, readSettings, maskSecret, writeSettings } from './settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-settings-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  'plain',
  'two words',
  "it's",
  'say "x"',
  '#hash',
  'a\\nb',
  'line 1\nline 2',
  'a=b',
  ' spaces ',
  '',
])('the value %j is read back as it is', async (value) => {
  const file = join(folder, 'new/settings.env')
  await writeSettings(file, { SVC_A: value, SVC_B: 'x' })
  expect(await readSettings(file)).toEqual({ SVC_A: value, SVC_B: 'x' })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a value that no file can hold is refused, and the file stays', async () => {
  const file = join(folder, 'kept.env')
  await writeSettings(file, { SVC_A: 'x' })
  await expect(writeSettings(file, { SVC_A: `'"\`` })).rejects.toThrow('mixes quotes')
  expect(await readFile(file, 'utf8')).toBe("SVC_A='x'\n")
})

test('no file is no settings', async () => expect(await readSettings(join(folder, 'none'))).toEqual({}))

test.each(['port', 'A-B', '', '1A'])('%j is not a setting', (name) =>
  expect(() => assertSetting(name)).toThrow('is not the name of a setting'),
)

test.each([
  ['SVC_PORT', '7700', '7700'],
  ['SVC_MODEL_API_KEY', 'sk-1', '***'],
  ['DATABASE_URL', 'postgres://me:pw@host:5432/db', 'postgres://me:***@host:5432/db'],
  ['REDIS_URL', 'redis://:pw@host', 'redis://:***@host'],
  ['SVC_PUBLIC_URL', 'https://svc.example:8443/x', 'https://svc.example:8443/x'],
])('%s=%s is shown as %s', (name, value, expected) => expect(maskSecret(name, value)).toBe(expected))
