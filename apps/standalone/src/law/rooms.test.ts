import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

const maxFiles = 25
const maxLines = 300
/** Nine in ten sources are shorter. */
const usualLines = 120

/** Folders that may grow: each file is one more of the same, opened by its name and never looked through. */
const listsOfEquals = [
  'apps/api/src/routes',
  'docs',
  'docs/decisions',
  'packages/contract/src/nouns',
  'packages/db/src/migrations',
]

interface Source {
  readonly file: string
  readonly lines: number
}

function filesIn(room: string): string[] {
  if (!existsSync(join(root, room))) return []
  return readdirSync(join(root, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
}

const rooms = ['apps', 'packages'].flatMap((group) =>
  readdirSync(join(root, group)).flatMap((name) => [`${group}/${name}/src`, `${group}/${name}/tests`]),
)
const files = [...rooms, 'bench', 'docs'].flatMap(filesIn)
const sources = files
  .filter((file) => /\.(tsx?|mjs|css)$/.test(file))
  .map((file) => ({ file, lines: linesOf(readFileSync(join(root, file), 'utf8')) }))

function linesOf(text: string): number {
  return text.replace(/\n$/, '').split('\n').length
}

/** Folders with more files than a reader takes in, beside those that are named; subfolders count for themselves. */
function fullFolders(all: readonly string[], named: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const file of all) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1)
  return [...counts]
    .filter(([folder, count]) => count > maxFiles && !named.includes(folder))
    .map(([folder, count]) => `${folder}: ${count} files`)
}

function longFiles(all: readonly Source[]): string[] {
  return all.filter(({ lines }) => lines > maxLines).map(({ file, lines }) => `${file}: ${lines} lines`)
}

/** The length that nine in ten of the sources keep to; tests are not counted. */
function ninthTenth(all: readonly Source[]): number {
  const lengths = all
    .filter(({ file }) => !/\.test\.|\/tests\//.test(file))
    .map(({ lines }) => lines)
    .sort((one, other) => one - other)
  return lengths[Math.ceil(lengths.length * 0.9) - 1] ?? 0
}

test(`no folder has more than ${maxFiles} files, unless it is a list of equals`, () => {
  expect(files.length).toBeGreaterThan(1_500)
  expect(fullFolders(files, listsOfEquals)).toEqual([])
})

test('every folder that is called a list of equals is there', () => {
  expect(listsOfEquals.filter((folder) => !existsSync(join(root, folder)))).toEqual([])
})

test(`no file has more than ${maxLines} lines`, () => {
  expect(longFiles(sources)).toEqual([])
})

test(`nine in ten sources have fewer than ${usualLines} lines`, () => {
  expect(ninthTenth(sources)).toBeLessThan(usualLines)
})

test('a folder with one file too many is found, by what lies in it directly', () => {
  const planted = Array.from({ length: maxFiles + 1 }, (_, n) => `packages/planted/src/${n}.ts`)
  expect(fullFolders([...files, ...planted], listsOfEquals)).toEqual(['packages/planted/src: 26 files'])
  expect(fullFolders(planted, ['packages/planted/src'])).toEqual([])
  const parted = planted.map((file, n) => (n === 0 ? file.replace('/src/', '/src/below/') : file))
  expect(fullFolders(parted, [])).toEqual([])
})

test('a file with one line too many is found, and sources that grow together are', () => {
  const text = 'x\n'.repeat(maxLines)
  const planted = [text, `${text}x`].map((of, n) => ({ file: `bench/${n}.ts`, lines: linesOf(of) }))
  expect(longFiles(planted)).toEqual(['bench/1.ts: 301 lines'])
  const grown = (count: number) =>
    Array.from({ length: 100 }, (_, n) => ({ file: `bench/${n}.ts`, lines: n < count ? usualLines : 1 }))
  expect([10, 11].map((count) => ninthTenth(grown(count)))).toEqual([1, usualLines])
})
