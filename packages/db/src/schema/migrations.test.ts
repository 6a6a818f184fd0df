import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checksumOf, numbered, type SchemaMigration } from './migration.ts'
import { migrations } from './migrations.ts'

/**
 * The migrations that landed. `SVC_LOCK_MIGRATIONS=1 npx vitest run packages/db/src/schema` adds the new ones; one that
 * landed never changes: what it left out is a migration of its own.
 */
const lockFile = fileURLToPath(new URL('../../migrations.lock.json', import.meta.url))

type Locked = Pick<SchemaMigration, 'name' | 'phase' | 'level'> & { readonly checksum: string }

const present = migrations.map((migration): Locked => {
  const { name, phase, level } = migration
  return { name, phase, level, checksum: checksumOf(migration) }
})
const read = (text: string) => JSON.parse(text) as readonly Locked[]

/** The names of those that landed and that a list has otherwise, or not at all. */
const changed = (landed: readonly Locked[], list: readonly Locked[]) =>
  landed.filter((one, index) => JSON.stringify(one) !== JSON.stringify(list[index])).map(({ name }) => name)

if (process.env['SVC_LOCK_MIGRATIONS'] === '1') {
  const landed = read(readFileSync(lockFile, 'utf8'))
  const all = [...landed, ...present.slice(landed.length)]
  writeFileSync(lockFile, `${JSON.stringify(all, null, 2)}\n`)
}

test('the lock names every migration, and none that landed has changed', () => {
  expect(read(readFileSync(lockFile, 'utf8'))).toEqual(present)
})

test('none of the last release, where there is one, has changed', () => {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      encoding: 'utf8',
      stdio: 'pipe',
    })
  const tag = git('tag', '--list', 'v*', '--sort=-v:refname', '--merged', 'HEAD').split('\n')[0]
  const released = tag ? git('show', `${tag}:packages/db/migrations.lock.json`) : '[]'
  expect(changed(read(released), present)).toEqual([])
})

test('names ascend, so that a new migration comes after all that landed', () => {
  const names = migrations.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)].sort())
  expect(names.filter((name) => !/^\d{8}T\d{4}-[a-z0-9-]+$/.test(name))).toEqual([])
})

test('every migration of the folder is in the list', () => {
  const files = readdirSync(new URL('../migrations', import.meta.url)).map((file) =>
    file.replace(/\.ts$/, ''),
  )
  expect(migrations.map(({ name }) => name)).toEqual(files.toSorted())
})

test('a contract says which builds it closes the database to, and closes it to none that came with it', () => {
  const contracts = migrations.filter(({ phase }) => phase === 'contract')
  expect(contracts.filter(({ level, min_reader }) => min_reader === null || min_reader >= level)).toEqual([])
})

describe('what the lock finds', () => {
  const [one, two] = numbered({ a: { statements: ['select 1'] }, b: { statements: ['select 2'] } })
  const locked = (migration: SchemaMigration | undefined): Locked => {
    if (migration === undefined) throw new Error('There is no such migration')
    const { name, phase, level } = migration
    return { name, phase, level, checksum: checksumOf(migration) }
  }
  test.each([
    ['another statement', [{ ...locked(one), checksum: 'x' }, locked(two)], ['a']],
    ['one between two that landed', [locked(one), { ...locked(two), name: 'aa' }, locked(two)], ['b']],
    ['one that is gone', [locked(one)], ['b']],
    ['a new one at the end', [locked(one), locked(two), { ...locked(two), name: 'c', level: 3 }], []],
  ])('%s', (_, list, found) => {
    expect(changed([locked(one), locked(two)], list)).toEqual(found)
  })
})
