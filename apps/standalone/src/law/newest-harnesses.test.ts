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

const pins = { 20: '1.9.0', 22: '1.9.0', 24: '2.0.0' }

test('each Node is given the newest version that it may run, as numbers and not as words', () => {
  const details = (version: string) => ({
    engines: { node: version === '2.0.0' ? '^22.12 || >=24' : '>=20' },
  })
  expect(newestPins(pins, ['1.9.0', '1.10.0', '2.0.0'], details)).toEqual({
    20: '1.10.0',
    22: '2.0.0',
    24: '2.0.0',
  })
})

test('previews, versions that were withdrawn and older ones are left', () => {
  const details = (version: string) => (version === '2.2.0' ? { deprecated: 'it loses files' } : {})
  expect(newestPins(pins, ['1.8.0', '1.9.0', '2.0.0', '2.2.0', '3.0.0-beta.1'], details)).toEqual({
    20: '2.0.0',
    22: '2.0.0',
    24: '2.0.0',
  })
  expect(newestPins(pins, [], details)).toEqual({ 20: '1.9.0', 22: '1.9.0', 24: '2.0.0' })
})
