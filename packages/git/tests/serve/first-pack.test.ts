import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FirstPack, firstPack } from '../../src/index.ts'
import { commit, countGit, testGit } from '../../src/testing/index.ts'
import { lines, storage } from '../storage.ts'

const counted = await countGit()
const { managed } = await storage({ environment: counted.environment })
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-first-pack-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await counted.remove()
})

const read = async (pack: FirstPack['pack']): Promise<Buffer> =>
  Buffer.concat(await Readable.from(pack, { objectMode: false }).toArray())

/** A repository made of the pack alone. */
async function unpacked({ pack, shallow }: FirstPack, name: string): Promise<string> {
  const path = join(folder, name)
  await testGit(['init', '--quiet', '--bare', path])
  if (shallow.length > 0) await writeFile(join(path, 'shallow'), shallow.map((sha) => `${sha}\n`).join(''))
  await testGit(['-C', path, 'unpack-objects', '-q', '--strict'], { input: await read(pack) })
  return path
}

test('the pack holds what the commits reach, and says where history is cut', async () => {
  const repository = await managed()
  const first = await commit(repository, 'main', { a: lines(100), 'dir/b': 'b' })
  const second = await commit(repository, 'main', { a: `${lines(100)}more\n` })
  const third = await commit(repository, 'main', { c: 'c' })
  await commit(repository, 'elsewhere', { secret: 'of another branch' }, 'Apart', { from: first })

  const cut = await firstPack(repository, { commits: [third, third], depth: 2 })
  expect(cut.shallow).toEqual([second])
  const path = await unpacked(cut, 'cut')
  expect(await testGit(['-C', path, 'rev-list', third])).toBe(`${third}\n${second}`)
  expect(await testGit(['-C', path, 'ls-tree', '-r', '--name-only', third])).toBe('a\nc\ndir/b')
  expect(await testGit(['-C', path, 'cat-file', '--batch-all-objects', '--batch-check'])).not.toContain(first)

  const whole = await firstPack(repository, { commits: [third], depth: 50 })
  expect(whole.shallow).toEqual([])
  expect(await testGit(['-C', await unpacked(whole, 'whole'), 'rev-list', '--count', third])).toBe('3')
})

test('the same commits are packed once; what is left unread ends git', async () => {
  const repository = await managed()
  const tip = await commit(repository, 'main', { a: 'a' })
  const ask = () => firstPack(repository, { commits: [tip], depth: 50 })
  await counted.take()
  await read((await ask()).pack)
  expect(await counted.take()).toEqual(['upload-pack'])
  const again = await ask()
  expect((await read(again.pack)).toString('latin1', 0, 4)).toBe('PACK')
  expect(await counted.take()).toEqual([])
  const unread = await ask()
  unread.close()
  await expect(read(unread.pack)).rejects.toThrow()
})

test('a commit that is not there is refused in git’s words', async () => {
  const repository = await managed()
  await commit(repository, 'main', { a: 'a' })
  const absent = firstPack(repository, { commits: ['1'.repeat(40)], depth: 1 })
  await expect(absent.then(({ pack }) => read(pack))).rejects.toThrow(/not our ref/)
})
