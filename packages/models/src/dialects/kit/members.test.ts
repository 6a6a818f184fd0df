import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBody } from './body.ts'
import { doubledKeys, editMembers } from './members.ts'

test('what is not edited stays as it was written', () => {
  const text = `{ "10": 1, "2": 12345678901234567890, "model" : "a\\"}" , "x": [1, {"model": "inner"}, "]"], "e": 1E400 }`
  expect(editMembers(text, [{ key: 'model', value: 'b' }])).toBe(
    `{"10": 1,"2": 12345678901234567890,"model":"b","x": [1, {"model": "inner"}, "]"],"e": 1E400}`,
  )
})

test('a member is renamed in its place, removed, or added at the end', () => {
  expect(editMembers('{"a":1,"b":2,"c":3}', [{ key: 'a', value: 9, as: 'z' }, { key: 'b' }])).toBe(
    '{"z":9,"c":3}',
  )
  expect(editMembers('{}', [{ key: 'a', value: null }, { key: 'b' }])).toBe('{"a":null}')
  expect(editMembers('{"mod\\u0065l":1}', [{ key: 'model', value: 2 }])).toBe('{"model":2}')
})

test('any object is equal in values and order of keys but for the edited one', () => {
  const space = fc.constantFrom(undefined, 1, '\t')
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.jsonValue(),
      space,
      (object, value, indent) => {
        const text = JSON.stringify(object, null, indent)
        const edited = editMembers(text, [{ key: 'model', value }])
        const expected = Object.entries(object).filter(([key]) => key !== 'model')
        const found = Object.entries(JSON.parse(edited)).filter(([key]) => key !== 'model')
        expect(JSON.stringify(found)).toBe(JSON.stringify(expected))
        expect(JSON.parse(edited)['model']).toEqual(JSON.parse(JSON.stringify(value)))
      },
    ),
    { numRuns: 500 },
  )
})

test('a key that stands twice is found, however it is spelt, and refused', () => {
  expect(doubledKeys('{"n":1,"a":{"n":1,"n":2},"\\u006e":2}')).toEqual(['n'])
  expect(() => parseBody('{"max_tokens":1,"max_tokens":9}')).toThrow('max_tokens: stands twice in the body')
})

test('a body of very many keys is read in time that grows with its length', () => {
  const object = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`key${at}`, at]))
  expect(doubledKeys(JSON.stringify(object))).toEqual([])
})

test.each(['', 'nope', '[1]', '"x"', 'null'])('%j is no body', (text) =>
  expect(() => parseBody(text)).toThrow(),
)
