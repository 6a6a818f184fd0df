import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keptOutBy, matchesGlob } from './globs.ts'

test.each([
  ['acme/*', 'acme/gpt-5', true],
  ['acme/*', 'acme/family/large', true],
  ['acme/*', 'other/gpt-5', false],
  ['*', '', true],
  ['*/gpt-*-mini', 'acme/gpt-5-mini', true],
  ['*/gpt-*-mini', 'acme/gpt-mini', false],
  ['a*a', 'a', false],
  ['ab*b*', 'ab', false],
  ['acme/gpt.5', 'acme/gpt-5', false],
])('%s on %s is %s', (glob, name, expected) => expect(matchesGlob(glob, name)).toBe(expected))

test('it agrees with the regular expression of the same glob', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/'), maxLength: 8 })
  fc.assert(
    fc.property(text, text, (glob, name) => {
      const pattern = new RegExp(`^${glob.replaceAll('*', '[^]*')}$`)
      expect(matchesGlob(glob, name)).toBe(pattern.test(name))
    }),
  )
})

test('all lists must let a model through, and the first that does not is named', () => {
  const lists = (operator: string[] | null, project: string[] | null) => [
    { by: 'operator', models: operator },
    { by: 'project', models: project },
  ]
  const model = { provider: 'acme', id: 'gpt-5' }
  expect(keptOutBy(lists(null, null), model)).toBeNull()
  expect(keptOutBy(lists(['acme/*'], ['*']), model)).toBeNull()
  expect(keptOutBy(lists(['acme/*'], ['other/*']), model)).toBe('project')
  expect(keptOutBy(lists([], []), model)).toBe('operator')
})

test.each(['demo', 'svc/demo', 'svc/*', 'de*'])('the platform’s own model is named by %s', (glob) => {
  expect(keptOutBy([{ by: 'key', models: [glob] }], { provider: 'svc', id: 'demo' })).toBeNull()
})
