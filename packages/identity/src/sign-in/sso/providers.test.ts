import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSsoProviders, readSsoFile } from './providers.ts'

const acme = { name: 'acme', issuer: 'https://id.acme.example', client_id: 'svc', client_secret: 'hidden' }
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-sso-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(text: string): Promise<readonly string[]> {
  const path = join(folder, 'sso.json')
  await writeFile(path, text)
  return (await readSsoFile(path)).names
}

test('the file names the providers, and one on this machine may speak http', async () => {
  const here = { ...acme, name: 'here', issuer: 'http://127.0.0.1:4000' }
  expect(await read(JSON.stringify([acme, here]))).toEqual(['acme', 'here'])
})

test.each([
  ['not JSON', 'the file: '],
  ['{}', 'the file: '],
  [JSON.stringify([{ ...acme, issuer: 'http://id.acme.example' }]), '0.issuer: must be https'],
  [JSON.stringify([acme, { ...acme, name: 'Not Simple' }]), '1.name: must be a simple name'],
  [JSON.stringify([{ ...acme, client_id: undefined }]), '0.client_id: '],
  [JSON.stringify([{ ...acme, surplus: 1 }]), 'surplus'],
  [JSON.stringify([acme, acme]), 'the file: every name stands once'],
])('%s is refused by its place, without what it holds', async (text, words) => {
  const error = await read(text).catch((problem: unknown) => String(problem))
  expect(error).toContain('SVC_SSO_FILE: ')
  expect(error).toContain(words)
  expect(error).not.toContain('hidden')
})

test('a file that is not there is named', async () => {
  await expect(readSsoFile(join(folder, 'none.json'))).rejects.toThrow(
    /SVC_SSO_FILE: .*none\.json cannot be read/,
  )
})

test('an unknown name is not found, and nobody is asked', () => {
  expect(() => createSsoProviders([acme]).find('other')).toThrow(
    'There is no such provider; choose one on the sign-in page',
  )
})
