import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { capabilityTable } from './capability-table.ts'

const page = readFileSync(new URL('../../../docs/access.md', import.meta.url), 'utf8')

test('docs/access.md has the capability table of the code', () => {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const start = rows.findIndex(([first]) => first === 'Capability')
  const expected = capabilityTable()
  const [heading, , ...body] = rows.slice(start, start + expected.length + 1)
  expect([heading, ...body]).toEqual(expected)
})
