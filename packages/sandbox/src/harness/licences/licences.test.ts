import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { smallHarness } from '../testing/small-harness.ts'
import { smallInstall } from '../testing/small-install.ts'
import { licenceTextOf } from './licence-text-of.ts'
import { licencesOf, proprietaryIn } from './licences-of.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const manifest = (name: string, license?: string): string =>
  JSON.stringify({ name, version: '1.0.0', license })

test('licencesOf reads each package, and the texts of those that have to be accepted', async () => {
  await using install = await smallInstall({
    'node_modules/a/package.json': manifest('a', 'MIT'),
    'node_modules/a/LICENSE': 'free',
    'node_modules/a/node_modules/@b/c/package.json': manifest('@b/c', 'SEE LICENSE IN README.md'),
    'node_modules/a/node_modules/@b/c/README.md': 'Read the licence.',
    'node_modules/a/node_modules/@b/c/LICENSE.md': 'All rights are kept.',
    'node_modules/@b/d/package.json': manifest('@b/d', 'SEE LICENSE IN ../a/LICENSE'),
    'node_modules/@b/d/README': 'Ask us.',
    'node_modules/e/package.json': manifest('e', 'SEE LICENSE IN TERMS.md'),
    'node_modules/e/TERMS.md': 'Terms.',
    'node_modules/f/package.json': manifest('f'),
    'node_modules/f/lib/package.json': '{"type":"module"}',
  })
  const licences = await licencesOf(install.folder)
  const kept = (name: string, spdx: string | null, text: string | null) => ({
    name,
    version: '1.0.0',
    spdx,
    proprietary: true,
    licence: text === null ? null : { text, sha256: hash(text) },
  })
  expect(licences).toEqual([
    kept('@b/c', 'SEE LICENSE IN README.md', 'All rights are kept.'),
    kept('@b/d', 'SEE LICENSE IN ../a/LICENSE', 'Ask us.'),
    { name: 'a', version: '1.0.0', spdx: 'MIT', proprietary: false, licence: null },
    kept('e', 'SEE LICENSE IN TERMS.md', 'Terms.'),
    kept('f', null, null),
  ])
})

test('licenceTextOf fetches that package only, by the integrity of the lock file', async () => {
  await using harness = await smallHarness()
  const { options, registry } = harness
  expect(await proprietaryIn(options.lock_folder)).toEqual(['small-part'])
  const text = 'All rights are kept.\n'
  expect(await licenceTextOf({ ...options, package_name: 'small-part' })).toEqual({
    text,
    sha256: hash(text),
  })
  expect(await licenceTextOf({ ...options, package_name: 'small-agent' })).toMatchObject({
    text: 'Do as you like.\n',
  })
  expect(registry.fetched).toEqual(['small-part', 'small-agent'])
  expect(await readdir(join(options.store, '.scratch'))).toEqual([])
  await expect(licenceTextOf({ ...options, package_name: 'other' })).rejects.toThrow('has no package other')
})

test('licenceTextOf refuses a package of another integrity', async () => {
  await using harness = await smallHarness({ integrity: `sha512-${Buffer.alloc(64).toString('base64')}` })
  const asked = licenceTextOf({ ...harness.options, package_name: 'small-part' })
  await expect(asked).rejects.toMatchObject({ kind: 'integrity', package_name: 'small-part@2.0.0' })
})
