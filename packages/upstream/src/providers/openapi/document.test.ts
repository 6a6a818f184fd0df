import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { dump } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { documentOf, list, ofDocument, only, openapi, refused } from '../../testing/openapi.ts'

const signal = AbortSignal.timeout(60_000)
test('our own document becomes actions whose schemas are schemas', async () => {
  const own = readFileSync(new URL('../../../../../docs/openapi/v0.1.0.json', import.meta.url), 'utf8')
  const actions = await list(own, { base_url: 'https://api.example' })
  expect(actions.length).toBeGreaterThan(99)
  expect(new Set(actions.map(({ action }) => action)).size).toBe(actions.length)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { input_schema } of actions) ajv.compile(input_schema)
  const deletes = own.match(/^ {3}"delete": \{$/gm)?.length
  expect(actions.filter(({ risk }) => risk === 'destructive').length).toBe(deletes)
})

describe('a document', () => {
  test('of YAML is read', async () => {
    expect(await list(dump(documentOf({ '/a': { get: {} } })))).toMatchObject([
      { action: 'get_a', risk: 'read' },
    ])
  })
  test.each([
    [{ swagger: '2.0', paths: {} }, 'convert it to 3.x'],
    [{ openapi: '4.0.0' }, 'OpenAPI 3.0 and 3.1'],
    [{ paths: {} }, 'no version'],
    ['a: [', 'neither JSON nor YAML'],
    ['[1]', 'describes no API'],
    [
      {
        openapi: '3.1.0',
        info: { title: 'x', version: '1' },
        servers: [{ url: 'https://a.example' }],
        paths: {},
      },
      'no operation',
    ],
    [{ openapi: '3.1.0', servers: [{ url: 'https://a.example' }], paths: { '/a': 7 } }, 'no operation'],
    [{ openapi: '3.1.0', paths: { '/a': { get: {} } } }, 'set `base_url`'],
    [
      { openapi: '3.1.0', servers: [{ url: 'https://u:p@a.example' }], paths: { '/a': { get: {} } } },
      'name and password',
    ],
  ])('%j is refused', async (document, words) => {
    expect(await refused(document)).toContain(words)
  })
  test('names its server with variables, and the manifest stands above it', async () => {
    const document = documentOf(
      { '/a': { get: {} } },
      {
        servers: [
          {
            url: 'https://{region}.a.example/{v}',
            variables: { region: { default: 'eu' }, v: { default: 'v2' } },
          },
        ],
      },
    )
    expect(await only(document)).toMatchObject({ binding: { server: 'https://eu.a.example/v2' } })
    expect(await openapi.origin(ofDocument(document))).toBe('https://eu.a.example')
    const target = ofDocument(document, { base_url: 'https://b.example/x' })
    expect(await openapi.origin(target)).toBe('https://b.example')
    expect((await openapi.list(target, signal))[0]?.binding['server']).toBeNull()
  })
  test('has names of plain letters, each once', async () => {
    const ids = ['a.b c', 'a/b/c', 'é', '', 'x'.repeat(200)]
    const paths = Object.fromEntries(ids.map((operationId, n) => [`/p${n}`, { get: { operationId } }]))
    const names = (await list(documentOf(paths))).map(({ action }) => action)
    expect(names).toMatchObject([
      'a_b_c',
      'a_b_c_2',
      'action',
      'get_p3',
      expect.stringMatching(/^x{121}_[0-9a-f]{6}$/),
    ])
  })
  test('with references: within it they are followed, outside and in circles they are not', async () => {
    const components = {
      parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' } } },
      requestBodies: {
        Node: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } },
      },
      schemas: {
        Node: {
          type: 'object',
          required: ['name', 'made'],
          properties: {
            name: { type: 'string', nullable: true, example: 'x' },
            made: { type: 'string', readOnly: true },
            children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
            other: { $ref: 'https://evil.example/schema.json' },
            loop: { $ref: '#/components/schemas/Loop' },
            knot: { $ref: '#/components/schemas/Knot' },
            score: { type: 'number', minimum: 0, exclusiveMinimum: true },
          },
        },
        Loop: { $ref: '#/components/schemas/Loop' },
        Knot: { allOf: [{ $ref: '#/components/schemas/Knot' }] },
      },
    }
    const action = await only(
      documentOf(
        {
          '/n/{id}': {
            parameters: [{ $ref: '#/components/parameters/Id' }],
            post: { requestBody: { $ref: '#/components/requestBodies/Node' } },
          },
        },
        { components },
      ),
    )
    expect(action.input_schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: ['string', 'null'] },
        children: { type: 'array', items: { $ref: '#/$defs/Node' } },
        other: {},
        loop: {},
        knot: { $ref: '#/$defs/Knot' },
        score: { type: 'number', exclusiveMinimum: 0 },
      },
      required: ['id'],
      additionalProperties: false,
      $defs: {
        Node: expect.objectContaining({ type: 'object', required: ['name'] }),
        Knot: {},
      },
    })
    const validate = new Ajv2020({ strict: false }).compile(action.input_schema)
    expect(validate({ id: 1, children: [{ name: null, children: [{ name: 'x' }] }], knot: { any: 1 } })).toBe(
      true,
    )
    expect(validate({ id: 1, children: [{ children: [] }] })).toBe(false)
  })
})
