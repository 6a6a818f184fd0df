import { describe, expect, test } from 'vitest'
import { exampleOf } from './examples.ts'

const schemas: Readonly<Record<string, unknown>> = {
  Session: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      status: { type: 'string', enum: ['queued', 'running'] },
      error: { type: ['string', 'null'] },
    },
  },
  Own: { type: 'object', properties: { name: { type: 'string' } }, example: { name: 'its own' } },
}
const resolve = (ref: string) => schemas[ref.split('/').at(-1) ?? '']
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const named = (name: string, schema: object) => exampleOf(schema, resolve, { name, owner: '' })

describe('an example', () => {
  test.each([
    ['a schema’s own', ref('Own'), { name: 'its own' }],
    [
      'fields by the name of their schema',
      ref('Session'),
      { name: 'readme typo', status: 'running', error: null },
    ],
    ['a list of one', { type: 'array', items: ref('Own') }, [{ name: 'its own' }]],
    [
      'parts together',
      { allOf: [ref('Own'), { type: 'object', properties: { size: { type: 'integer' } } }] },
      { name: 'its own', size: 21 },
    ],
    ['the first form', { anyOf: [ref('Own'), { type: 'string' }] }, { name: 'its own' }],
    ['what may be null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    ['a constant', { const: 'bearer', type: 'string' }, 'bearer'],
    ['no schema at all', undefined, null],
  ])('%s', (_, schema, expected) => {
    expect(exampleOf(schema, resolve)).toEqual(expected)
  })

  test('takes a value by name only where the schema allows it', () => {
    expect(named('expires_at', { type: 'string', format: 'date-time' })).toBe('2027-02-20T00:00:00.000Z')
    expect(named('expires_at', { type: 'integer' })).toBe(1_795_429_800)
    expect(named('status', { type: 'string', enum: ['open', 'closed'] })).toBe('open')
    expect(named('name', { type: 'string', format: 'uuid' })).toMatch(/^[0-9a-f-]{36}$/)
  })
})
