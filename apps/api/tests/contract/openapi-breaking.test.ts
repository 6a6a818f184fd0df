import { describe, expect, test } from 'vitest'
import { breakingChanges } from './breaking-changes.ts'
import { OpenApiDocument } from '../support/openapi.ts'

const thing = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    state: { type: 'string', enum: ['open', 'closed'] },
    note: { type: ['string', 'null'] },
    parent: { $ref: '#/components/schemas/Thing' },
  },
  required: ['id', 'state'],
}
const input = {
  type: 'object',
  properties: { title: { type: 'string', maxLength: 100 }, kind: { enum: ['a', 'b'] } },
  required: ['title'],
}
const limit = { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 200 } }
const create = {
  operationId: 'createThing',
  security: [{ personalToken: [] }, { projectToken: [] }],
  parameters: [limit],
  requestBody: { required: false, content: { 'application/json': { schema: input } } },
  responses: {
    201: {
      description: 'x',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
    },
  },
}

/** A small document, with these in the place of its own. */
function documentOf(changes: { operation?: object; thing?: object; paths?: object } = {}) {
  return OpenApiDocument.parse({
    tags: [],
    paths: changes.paths ?? { '/things/{id}': { post: { ...create, ...changes.operation } } },
    components: { schemas: { Thing: { ...thing, ...changes.thing } }, securitySchemes: {} },
  })
}

const body = (schema: object, required = false) => ({
  requestBody: { required, content: { 'application/json': { schema } } },
})
const properties = (changes: object) => ({ properties: { ...thing.properties, ...changes } })
const fields = (changes: object) => body({ ...input, properties: { ...input.properties, ...changes } })

describe('breaks callers:', () => {
  test.each([
    ['a removed path', { paths: {} }, /is gone/],
    ['another method', { paths: { '/things/{id}': { put: create } } }, /POST .*is gone/],
    ['another operationId', { operation: { operationId: 'makeThing' } }, /operationId changed/],
    [
      'a refused kind of credential',
      { operation: { security: [{ personalToken: [] }] } },
      /refuses projectToken/,
    ],
    ['a removed parameter', { operation: { parameters: [] } }, /query limit is gone/],
    [
      'a required parameter',
      { operation: { parameters: [{ ...limit, required: true }] } },
      /limit is required/,
    ],
    [
      'a narrower parameter',
      { operation: { parameters: [{ ...limit, schema: { type: 'integer', maximum: 50 } }] } },
      /maximum is narrower/,
    ],
    ['a body that is needed now', { operation: body(input, true) }, /needs a body/],
    [
      'a new required field',
      { operation: body({ ...input, required: ['title', 'kind'] }) },
      /kind: is required/,
    ],
    ['a removed field of a request', { operation: fields({ kind: undefined }) }, /kind: is gone/],
    ['a refused value', { operation: fields({ kind: { enum: ['a'] } }) }, /"b" is refused/],
    ['another type of a field', { operation: fields({ title: { type: 'integer' } }) }, /string is refused/],
    ['a shorter field', { operation: fields({ title: { type: 'string', maxLength: 10 } }) }, /maxLength/],
    [
      'a pattern',
      { operation: fields({ title: { type: 'string', maxLength: 100, pattern: '^a' } }) },
      /pattern/,
    ],
    [
      'a body that became strict',
      { operation: body({ ...input, additionalProperties: false }) },
      /additional/,
    ],
    [
      'one form of a request less',
      { operation: fields({ title: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }) },
      /forms are refused/,
    ],
    ['another success', { operation: { responses: { 200: create.responses[201] } } }, /201 is gone/],
    [
      'another content type',
      { operation: { responses: { 201: { content: { 'text/plain': { schema: {} } } } } } },
      /json is gone/,
    ],
    ['a removed field of an answer', { thing: properties({ note: undefined }) }, /note: is gone/],
    ['a field that may be absent', { thing: { required: ['id'] } }, /state: may be absent/],
    ['a field that may be null', { thing: properties({ id: { type: ['string', 'null'] } }) }, /may be null/],
    ['an enum that may be anything', { thing: properties({ state: { type: 'string' } }) }, /no enum/],
    ['another type in a list', { thing: properties({ note: { type: 'array', items: {} } }) }, /may be array/],
    [
      'a new form of an answer',
      { thing: properties({ id: { anyOf: [{ type: 'string' }, { type: 'object' }] } }) },
      /forms are new/,
    ],
  ])('%s', (_, changes, message) => {
    const found = breakingChanges(documentOf(), documentOf(JSON.parse(JSON.stringify(changes))))
    expect(found.length).toBeGreaterThan(0)
    expect(found.join('\n')).toMatch(message)
  })
})

describe('breaks nobody:', () => {
  test.each([
    ['nothing', {}],
    [
      'a new operation',
      { paths: { '/things/{id}': { post: create, get: create }, '/more': { get: create } } },
    ],
    ['another name of a path parameter', { paths: { '/things/{thing_id}': { post: create } } }],
    ['a new optional parameter', { operation: { parameters: [limit, { ...limit, name: 'q' }] } }],
    ['a wider parameter', { operation: { parameters: [{ ...limit, schema: { type: 'integer' } }] } }],
    ['a new optional field', { operation: fields({ more: { type: 'string' } }) }],
    ['a field that is optional now', { operation: body({ ...input, required: [] }) }],
    ['a new value in a request', { operation: fields({ kind: { enum: ['a', 'b', 'c'] } }) }],
    [
      'one form of a request more',
      { operation: fields({ title: { anyOf: [{ type: 'string' }, { type: 'null' }] } }) },
    ],
    ['a new refusal', { operation: { responses: { ...create.responses, 409: { description: 'x' } } } }],
    ['a new field of an answer', { thing: properties({ more: { type: 'string' } }) }],
    [
      'a new value in an answer',
      { thing: properties({ state: { enum: ['open', 'closed', 'merged'], type: 'string' } }) },
    ],
    ['a field that is never null now', { thing: properties({ note: { type: 'string' } }) }],
    ['no credential needed any more', { operation: { security: [] } }],
  ])('%s', (_, changes) => {
    expect(breakingChanges(documentOf(), documentOf(JSON.parse(JSON.stringify(changes))))).toEqual([])
  })
})

test('parts of an allOf count as one schema', () => {
  const whole = {
    allOf: [{ $ref: '#/components/schemas/Thing' }, { properties: { extra: { type: 'string' } } }],
  }
  const answer = { responses: { 201: { content: { 'application/json': { schema: whole } } } } }
  const before = documentOf({ operation: answer })
  expect(breakingChanges(before, before)).toEqual([])
  expect(breakingChanges(before, documentOf()).join()).toMatch(/extra: is gone/)
})
