import { expect, test } from 'vitest'
import { sentPaths } from './build-context.ts'

const paths = [
  ...['Dockerfile', '.dockerignore', '.env', 'sub/.env.local', 'server.js', 'notes.md', 'README.md'],
  ...['node_modules/a/index.js', 'sub/notes.md', 'sub/node_modules/b.js', 'dist/a.js', 'dist/keep.js'],
]
const left = (ignored: string | null) => {
  const sent = sentPaths(paths, 'Dockerfile', ignored)
  return paths.filter((path) => !sent.includes(path))
}

test.each([
  ['nothing is ignored', null, []],
  ['a comment and an empty line', '# server.js\n\n', []],
  ['a folder, of the root alone', 'node_modules', ['node_modules/a/index.js']],
  ['a folder at any depth', '**/node_modules', ['node_modules/a/index.js', 'sub/node_modules/b.js']],
  ['a pattern, of the root alone', '*.md', ['notes.md', 'README.md']],
  ['an exception', 'dist/*\n!dist/keep.js', ['dist/a.js']],
  ['an exception before its rule', '!README.md\n*.md', ['notes.md', 'README.md']],
])('%s', (_, ignored, expected) => {
  expect(left(ignored)).toEqual(['.env', 'sub/.env.local', ...expected].toSorted(byPlace))
})

test('what a builder needs goes where everything is ignored', () => {
  expect(sentPaths(paths, 'Dockerfile', '*')).toEqual(['Dockerfile', '.dockerignore'])
  expect(sentPaths(['sub/Dockerfile', 'Dockerfile'], 'sub/Dockerfile', '**')).toEqual(['sub/Dockerfile'])
})

test('no exception brings back what is private', () => {
  expect(left('!.env')).toContain('.env')
})

const byPlace = (a: string, b: string) => paths.indexOf(a) - paths.indexOf(b)
