import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findInstalled, verifyInstalled } from '../store/installed.ts'
import { digestOf } from '../store/tree.ts'
import { type SmallInstall, smallInstall, smallVersion } from '../testing/small-install.ts'
import { exportInstalled } from './export-installed.ts'
import { importInstalled, type ImportOptions } from './import-installed.ts'

let install: SmallInstall
let other: string
beforeEach(async () => {
  install = await smallInstall({
    'node_modules/a/long.js': 'x'.repeat(300_000),
    [`node_modules/${'b'.repeat(150)}`]: 'b',
  })
  other = join(install.top, 'other')
})
afterEach(() => install[Symbol.asyncDispose]())

const options = (more: Partial<ImportOptions> = {}): ImportOptions => ({
  target: smallVersion.target,
  lockFolder: (name, version) => (name === 'small' && version === '1.0.0' ? install.lock_folder : null),
  ...more,
})

async function exported(): Promise<Buffer> {
  const out = new PassThrough()
  const [archive] = await Promise.all([buffer(out), exportInstalled(install.folder, out)])
  return archive
}

const take = (archive: Buffer, more?: Partial<ImportOptions>) =>
  importInstalled(other, Readable.from([archive]), options(more))

async function refusal(archive: Buffer, reason: string, more?: Partial<ImportOptions>): Promise<void> {
  await expect(take(archive, more)).rejects.toThrow(reason)
  expect(await findInstalled({ store: other, ...smallVersion })).toBeNull()
}

test('an install goes to another machine whole, and a second time changes nothing', async () => {
  const archive = await exported()
  const imported = await take(archive, { digest: install.digest })
  expect(imported).toMatchObject({
    name: 'small',
    version: '1.0.0',
    digest: install.digest,
    bytes: install.bytes,
  })
  expect(imported.folder).toBe(install.folder.replace(install.store, other))
  expect(await verifyInstalled(imported.folder)).toBeNull()
  expect(await take(archive)).toEqual(imported)
  expect(await exported()).toEqual(archive)
})

describe('an archive is refused', () => {
  test('of another kind of machine', async () => {
    await refusal(await exported(), 'this machine is linux-x64-glibc-node22', {
      target: 'linux-x64-glibc-node22',
    })
  })

  test('of a version that this platform does not know', async () => {
    await refusal(await exported(), 'no lock file of small 1.0.0', { lockFolder: () => null })
  })

  test('of another lock file', async () => {
    const archive = await exported()
    await writeFile(join(install.lock_folder, 'package-lock.json'), '{}')
    await refusal(archive, 'package-lock.json is not the one')
  })

  test('of another digest than the other machine named', async () => {
    await refusal(await exported(), `not ${'0'.repeat(64)}`, { digest: '0'.repeat(64) })
  })

  test('that is cut, or is none', async () => {
    const archive = await exported()
    await refusal(archive.subarray(0, archive.length - 2000), 'refused')
    await refusal(Buffer.from('no archive'), 'it is damaged, or is not whole')
    await refusal(gzipSync(Buffer.alloc(1024)), 'it is empty')
  })

  test('that an abort ends', async () => {
    const signal = AbortSignal.abort(new Error('not needed'))
    await refusal(await exported(), 'not needed', { signal })
  })
})

describe('a forged archive', () => {
  const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex')
  const lock = ['{"private":true}', '{"lockfileVersion":3,"packages":{}}'] as const
  const lockLines = [
    `package-lock.json 0444 ${lock[1].length} ${hashOf(lock[1])}`,
    `package.json 0444 ${lock[0].length} ${hashOf(lock[0])}`,
  ]

  /** The seal says these lines, and the entries are these. */
  async function forged(
    lines: readonly string[],
    entries: readonly { name: string; content?: string; linkname?: string }[],
  ): Promise<Buffer> {
    const all = [...lockLines, ...lines].toSorted()
    const { name, version, target } = smallVersion
    const archive = pack()
    const written = buffer(archive)
    archive.entry(
      { name: '.svc-digest' },
      [[digestOf(all), name, version, target].join(' '), ...all, ''].join('\n'),
    )
    archive.entry({ name: 'package.json' }, lock[0])
    archive.entry({ name: 'package-lock.json' }, lock[1])
    for (const { name: path, content = '', linkname } of entries)
      if (linkname === undefined) archive.entry({ name: path }, content)
      else archive.entry({ name: path, type: 'symlink', linkname })
    archive.finalize()
    return gzipSync(await written)
  }

  const line = (path: string, content: string): string => `${path} 0444 ${content.length} ${hashOf(content)}`

  test('with other content than its seal says', async () => {
    const archive = await forged([line('a.js', 'one')], [{ name: 'a.js', content: 'two' }])
    await refusal(archive, 'The files have the digest')
  })

  test('with a file that its seal does not name, or without one that it names', async () => {
    await refusal(await forged([], [{ name: 'a.js', content: 'a' }]), 'a.js is not in its .svc-digest')
    await refusal(await forged([line('a.js', 'a')], []), 'a.js is missing')
  })

  test.each(['../a.js', '/a.js', 'b/../../a.js', 'b//a.js', './a.js'])('that writes to %s', async (path) => {
    await refusal(await forged([line(path, 'a')], [{ name: path, content: 'a' }]), 'leads out of the install')
  })

  test.each(['..', '../x', '/etc', 'b/../../x'])('with a link to %s', async (linkname) => {
    await refusal(await forged([`a -> ${linkname}`], [{ name: 'a', linkname }]), 'leads out of the install')
  })

  test('with a file below a link', async () => {
    const archive = await forged(
      ['a -> b', line('a/c.js', 'c')],
      [
        { name: 'a', linkname: 'b' },
        { name: 'a/c.js', content: 'c' },
      ],
    )
    await expect(take(archive)).rejects.toMatchObject({ name: 'InstallError' })
  })
})
