import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = new URL('../../../../', import.meta.url)
const page = readFileSync(new URL('docs/security.md', root), 'utf8')
const rows = [...page.matchAll(/^\| [^|]+\| [^|]+\| `([^`]+)`: “([^”]+)” +\|$/gm)].map(
  ([, file = '', name = '']) => ({
    file,
    name,
  }),
)

test('the table of threats is found', () => {
  expect(rows.length).toBeGreaterThan(30)
})

test.each(rows)('$file has “$name”', ({ file, name }) => {
  const path = fileURLToPath(new URL(file, root))
  expect(existsSync(path), path).toBe(true)
  expect(readFileSync(path, 'utf8')).toContain(name)
})
