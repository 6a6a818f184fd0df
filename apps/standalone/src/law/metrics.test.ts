import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

test('each family is measured somewhere', () => {
  const sources = ['apps', 'packages']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name, 'src')))
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.endsWith('metrics-catalogue.ts'))
  const text = sources.map(read).join('\n')
  const idle = metricsCatalogue.map(({ name }) => name).filter((name) => !text.includes(`'${name}'`))
  expect(idle).toEqual([])
})

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
