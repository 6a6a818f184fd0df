import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../shapes.ts'
import { argumentLimits, checkArguments } from './check-arguments.ts'

const issues = (schema: JsonObject, args: JsonObject) => {
  const verdict = checkArguments(schema, args)
  return verdict.ok ? [] : verdict.issues.map(({ path, message }) => `${path}: ${message}`)
}
const nested = (levels: number): JsonObject => (levels === 0 ? {} : { a: nested(levels - 1) })

const mail = {
  type: 'object',
  properties: {
    to: { type: 'array', items: { type: 'object', properties: { at: { type: 'string' } } } },
    subject: { type: 'string', maxLength: 5 },
    kind: { enum: ['html', 'text'] },
  },
  required: ['to'],
  additionalProperties: false,
}

test('what fits is taken', () => {
  expect(checkArguments(mail, { to: [{ at: 'x' }], subject: 'hello', kind: 'text' })).toEqual({ ok: true })
})

test('every fault is said at its place', () => {
  expect(issues(mail, { to: [{ at: 'x' }, { at: 5 }], subject: 'longer', kind: 'pdf', bcc: 'x' })).toEqual([
    'to[1].at: The value type "number" is invalid. Expected "string".',
    'subject: String is too long (6 > 5).',
    'kind: The value does not match any of ["html","text"].',
    'bcc: is not an argument of this action',
  ])
  expect(issues(mail, {})).toEqual(['to: is required'])
})

test.each([
  ['http://json-schema.org/draft-04/schema#', { exclusiveMinimum: true, minimum: 5 }, { a: 5 }],
  ['http://json-schema.org/draft-07/schema#', { exclusiveMinimum: 5 }, { a: 5 }],
  ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'number' }] }, { a: ['x'] }],
])('the draft that a schema names holds: %s', ($schema, a, args) => {
  expect(issues({ $schema, properties: { a } }, args)).toHaveLength(1)
})

describe('what is left to the service', () => {
  test.each<[string, JsonObject]>([
    ['pattern', { properties: { a: { pattern: '^(a+)+$' } } }],
    ['format', { properties: { a: { format: 'date' } } }],
    [
      'patternProperties and what they leave over',
      { patternProperties: { '^a': {} }, additionalProperties: false },
    ],
    ['not, when something below is left out', { properties: { a: { not: { pattern: '^x' } } } }],
    ['if', { if: { properties: { a: { pattern: 'x' } } }, then: { required: ['b'] } }],
    ['one of two patterns', { properties: { a: { oneOf: [{ pattern: 'a' }, { pattern: 'b' }] } } }],
    ['a reference to nowhere', { $ref: '#/definitions/gone' }],
    ['a reference to another place', { $ref: 'https://schemas.test/a' }],
    ['a schema that is itself', { $ref: '#' }],
    ['a keyword of another type', { properties: 'x', required: 5 }],
  ])('%s', (_, schema) => {
    expect(checkArguments(schema, { a: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' })).toEqual({ ok: true })
  })

  test('an argument that is named as a keyword is none', () => {
    const schema = {
      properties: { pattern: { type: 'string' }, format: { type: 'string' }, not: { type: 'string' } },
    }
    expect(issues(schema, { pattern: 1, format: 2, not: 3 })).toHaveLength(3)
  })

  test('the rest of such a schema holds', () => {
    const schema = { properties: { a: { pattern: 'x', type: 'string' }, b: { type: 'number' } } }
    expect(issues(schema, { a: 1, b: 'x' })).toHaveLength(2)
  })
})

describe('limits', () => {
  test('256 KiB of JSON', () => {
    const text = 'a'.repeat(argumentLimits.bytes - '{"a":""}'.length)
    expect(checkArguments({}, { a: text })).toEqual({ ok: true })
    expect(checkArguments({}, { a: `${text}a` })).toMatchObject({ ok: false, reason: 'arguments_too_large' })
    expect(checkArguments({}, { a: 'é'.repeat(200_000) })).toMatchObject({ reason: 'arguments_too_large' })
  })

  test('64 levels', () => {
    expect(checkArguments({}, nested(63))).toEqual({ ok: true })
    expect(issues({}, nested(64))).toEqual([': nested more than 64 levels deep'])
    const deep = JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) as JsonObject
    expect(issues({}, deep)).toHaveLength(1)
  })

  test('20 issues', () => {
    const args = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, index]))
    expect(issues({ additionalProperties: false }, args)).toHaveLength(20)
  })

  test('a long list is judged to its end', () => {
    const numbers = Array.from({ length: 20_000 }, () => 1)
    const schema = { properties: { a: { items: { type: 'number' } } } }
    expect(issues(schema, { a: [...numbers, 'x'] })).toHaveLength(1)
  })

  const doubling: JsonObject = {
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` }
        return [`d${index}`, { anyOf: [next, next] }]
      }).concat([['d60', { type: 'null' } as never]]),
    ),
  }
  const wide = Array.from({ length: 15_000 }, () => ({ minLength: 1 }))
  test.each<[string, JsonObject, JsonObject]>([
    ['doubles at each level', doubling, { a: 1 }],
    ['is deeper than 200', JSON.parse(`${'{"not":'.repeat(5000)}{}${'}'.repeat(5000)}`) as JsonObject, {}],
    ['has more than 20,000 parts', { allOf: Array.from({ length: 30_000 }, () => ({ type: 'null' })) }, {}],
    ['goes over a long text often', { properties: { a: { allOf: wide } } }, { a: 'x'.repeat(200_000) }],
    [
      'has many values for many items',
      { properties: { a: { items: { enum: Array.from({ length: 20_000 }, (_, index) => index) } } } },
      { a: Array.from({ length: 40_000 }, () => 19_999) },
    ],
  ])('a schema that %s is left to the service', (_, schema, args) => {
    expect(checkArguments(schema, args)).toEqual({ ok: true })
  })
})

test('it refuses nothing that the whole schema takes', () => {
  const leaf = fc.oneof(
    fc.constantFrom<JsonObject>(
      { type: 'string' },
      { type: 'number' },
      { pattern: '^a' },
      { pattern: 'b$' },
      { format: 'date' },
      { minLength: 2 },
      { const: 'ab' },
      { enum: ['a', 'b', 1] },
      { uniqueItems: true },
      { patternProperties: { '^a': { type: 'string' } }, additionalProperties: false },
    ),
  )
  const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.record({ not: tie('schema') }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        anyOf: fc.tuple(tie('schema')),
      }),
      fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ if: tie('schema'), then: tie('schema'), else: tie('schema') }),
      fc.record({ items: tie('schema'), contains: tie('schema'), maxContains: fc.constant(1) }),
      fc.record({ properties: fc.record({ a: tie('schema'), pattern: tie('schema') }) }),
    ),
  }))
  const value = fc.oneof(
    fc.constantFrom('a', 'ab', 'b', 'zz', 1, null),
    fc.array(fc.constantFrom('a', 'ab', 1), { maxLength: 3 }),
    fc.record({ a: fc.constantFrom('a', 'ab', 1), pattern: fc.constantFrom('b', 2) }, { requiredKeys: [] }),
  )
  fc.assert(
    fc.property(schema, value, (one, given) => {
      const whole = { properties: { it: one } }
      const args = { it: given }
      const strict = new Validator(structuredClone(whole), '2020-12').validate(args).valid
      if (strict) expect(checkArguments(whole, args)).toEqual({ ok: true })
    }),
    { numRuns: 3000 },
  )
})
