import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')
const { newestPins } = (await import(join(root, 'scripts/newest-harnesses.mjs'))) as {
  newestPins: (
    pins: Readonly<Record<string, string>>,
    versions: readonly string[],
    detailsOf: (version: string) => {
      readonly engines?: { readonly node: string }
      readonly deprecated?: string
    },
  ) => Record<string, string>
}

const pins = { 20: '41.9.0', 22: '41.9.0', 24: '42.0.0' }

test('each Node is given the newest version that it may run, as numbers and not as words', () => {
  const details = (version: string) => ({
    engines: { node: version === '42.0.0' ? '^22.12 || >=24' : '>=20' },
  })
  expect(newestPins(pins, ['41.9.0', '41.10.0', '42.0.0'], details)).toEqual({
    20: '41.10.0',
    22: '42.0.0',
    24: '42.0.0',
  })
})

test('previews, versions that were withdrawn and older ones are left', () => {
  const details = (version: string) => (version === '42.2.0' ? { deprecated: 'it loses files' } : {})
  expect(newestPins(pins, ['41.8.0', '41.9.0', '42.0.0', '42.2.0', '43.0.0-beta.1'], details)).toEqual({
    20: '42.0.0',
    22: '42.0.0',
    24: '42.0.0',
  })
  expect(newestPins(pins, [], details)).toEqual({ 20: '41.9.0', 22: '41.9.0', 24: '42.0.0' })
})
