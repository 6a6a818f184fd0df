import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

const [, section = ''] = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('\n## Invariants\n')
const invariants = [...section.matchAll(/^(\d+)\. .*$/gm)].map(
  ([text, number = '']) => [text, number] as const,
)

const named = ['apps', 'packages']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
  .flatMap((room) => ['src', 'tests'].map((part) => join(room, part)))
  .flatMap((folder) => filesOf(folder).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\btest\(['`]invariant (\d+):/g)])
  .map(([, number = '']) => number)

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}

test.each(invariants)('%s', (_text, number) => {
  expect(named).toContain(number)
})

test('each test that names an invariant names one that is there', () => {
  const known = invariants.map(([, number]) => number)
  expect(known.length).toBeGreaterThan(0)
  expect(named.filter((number) => !known.includes(number))).toEqual([])
})
