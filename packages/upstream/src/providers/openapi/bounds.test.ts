import { describe, expect, test } from 'vitest'
import { documentOf, only, refused } from '../../testing/openapi.ts'

const names = (count: number) => Array.from({ length: count }, (_, n) => `p${n}`)

describe('bounds', () => {
  test('5,001 operations are refused', async () => {
    const paths = Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [`/${n}`, { get: {} }]))
    expect(await refused(documentOf(paths))).toContain('5000')
  })
  test('a document of more than 10 MiB is refused, and YAML of more than 4', async () => {
    expect(
      await refused(
        JSON.stringify(documentOf({ '/a': { get: { description: 'x'.repeat(10 * 1024 * 1024) } } })),
      ),
    ).toContain('10 MiB')
    expect(await refused(`openapi: 3.1.0\nx: ${'y'.repeat(4 * 1024 * 1024)}`)).toContain('convert it to JSON')
  })
  test('a schema of 100,000 parts is cut for its action', async () => {
    const inner = {
      type: 'object',
      properties: Object.fromEntries(names(100).map((name) => [name, { type: 'array' }])),
    }
    const properties = Object.fromEntries(names(1_000).map((name) => [name, inner]))
    const schema = { type: 'object', properties: { all: { type: 'object', properties } } }
    const action = await only(
      documentOf({ '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } }),
    )
    const kept = JSON.stringify(action.input_schema)
    const parts = kept.match(/"type":"array"/g)?.length
    expect(parts).toBeGreaterThan(1_000)
    expect(parts).toBeLessThanOrEqual(2_000)
  })
  test('schemas that name each other grow with the document, not with its paths through them', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [
        `S${n}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 5 }, (_, k) => [
              `p${k}`,
              { $ref: `#/components/schemas/S${(n + 1) % 200}` },
            ]),
          ),
        },
      ]),
    )
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } }
    const action = await only(
      documentOf({ '/a': { post: { requestBody: { content } } } }, { components: { schemas } }),
    )
    expect(JSON.stringify(action.input_schema).length).toBeLessThan(200_000)
  })
  test('large schemas in many actions are refused', async () => {
    const properties = Object.fromEntries(Array.from({ length: 1_900 }, (_, n) => [`p${n}`, {}]))
    const components = {
      schemas: { Big: { type: 'object', properties: { all: { type: 'object', properties } } } },
    }
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Big' } } }
    const paths = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`/${n}`, { post: { requestBody: { content } } }]),
    )
    expect(await refused(documentOf(paths, { components }))).toContain('500000')
  })
  test('values that nest without end and aliases that multiply are read in bounds', async () => {
    const deep = JSON.stringify(
      documentOf({
        '/a': { post: { requestBody: { content: { 'application/json': { schema: 'DEEP' } } } } },
      }),
    )
    const nested = '{"items":'.repeat(100_000) + '{}' + '}'.repeat(100_000)
    expect(await only(deep.replace('"DEEP"', nested))).toMatchObject({ action: 'post_a' })
    const lines = Array.from(
      { length: 30 },
      (_, n) => `a${n + 1}: &a${n + 1} {properties: {x: *a${n}, y: *a${n}}}`,
    )
    const yaml = [
      'openapi: 3.1.0',
      `servers: [{url: https://a.example}]`,
      'a0: &a0 {}',
      ...lines,
      'paths: {/a: {post: {requestBody: {content: {application/json: {schema: {properties: {z: *a30}}}}}}}}',
    ]
    const action = await only(yaml.join('\n'))
    expect(JSON.stringify(action.input_schema).length).toBeLessThan(200_000)
  })
  test('names of a prototype are names', async () => {
    const document =
      '{"openapi":"3.1.0","servers":[{"url":"https://a.example"}],"paths":{"/a":{"post":{"operationId":"__proto__","requestBody":{"content":{"application/json":{"schema":{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}}}}}}}}'
    const action = await only(document)
    expect(Object.keys(Object(action.input_schema['properties']))).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })
})

describe('a document that many actions share', () => {
  const sharing = (schemas: object, body: object, actions = 2_000) => {
    const requestBodies = { Shared: { content: { 'application/json': { schema: body } } } }
    const operation = { requestBody: { $ref: '#/components/requestBodies/Shared' } }
    const paths = Object.fromEntries(
      Array.from({ length: actions }, (_, n) => [`/${n}`, { post: operation }]),
    )
    return documentOf(paths, { components: { schemas, requestBodies } })
  }
  const many = (count: number, value: unknown) =>
    Object.fromEntries(names(count).map((name) => [name, value]))

  test('with 100,000 fields has a body that is one argument', async () => {
    const big = { type: 'object', properties: many(100_000, { type: 'string' }) }
    const action = await only(sharing({ Big: big }, { $ref: '#/components/schemas/Big' }))
    expect(action.input_schema).toMatchObject({
      properties: { body: { $ref: '#/$defs/Big' } },
      $defs: { Big: { type: 'object' } },
    })
  })
  test('with parts that multiply has a body that is one argument', async () => {
    const parts = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [
        `A${n}`,
        { allOf: Array.from({ length: 10 }, () => ({ $ref: `#/components/schemas/A${n + 1}` })) },
      ]),
    )
    const schemas = { ...parts, A60: { type: 'object', properties: { a: {} } } }
    const action = await only(sharing(schemas, { $ref: '#/components/schemas/A0' }, 1))
    expect(action.input_schema).toMatchObject({ properties: { body: {} } })
    const few = await only(sharing(schemas, { $ref: '#/components/schemas/A40' }, 1))
    expect(few.input_schema).toMatchObject({ properties: { a: {} } })
  })
  test('with long texts is refused before it fills the memory', async () => {
    const all = { type: 'object', properties: many(100, { description: 'x'.repeat(1_000) }) }
    const big = { type: 'object', properties: { all } }
    expect(await refused(sharing({}, big))).toContain('32 MiB')
  })
})
