import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MetricFamily, metricsCatalogue, services } from '@svc/boot'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

function rowOf({ name, type, labels, help, question, owners }: MetricFamily): string[] {
  const where = owners.length === services.length ? 'all' : owners.join(', ')
  return [`\`${name}\``, type, labels.join(', '), where, help, question]
}

test('docs/metrics.md has the catalogue, row by row', () => {
  const rows = read('docs/metrics.md')
    .split('\n')
    .filter((line) => line.startsWith('| `svc_'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  expect(rows).toEqual(metricsCatalogue.map(rowOf))
})
