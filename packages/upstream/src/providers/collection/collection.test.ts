import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../../testing/service.ts'
import { connectorOf, localProviders, optionsOf, targetOf } from '../../testing/target.ts'
import { filledJson } from './fill.ts'

const service = serve((req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    const { method, url, headers } = req
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }))
  })
})

const collection = localProviders().collection ?? expect.fail()
const signal = AbortSignal.timeout(60_000)
const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const ofFile = (file: unknown, base_url: string | null = null) =>
  targetOf(connectorOf({ provider: 'collection', spec: 'requests.json', base_url }), {
    readFile: async () => new TextEncoder().encode(typeof file === 'string' ? file : JSON.stringify(file)),
  })
const fileOf = (item: unknown[], more = {}) => ({ info: { name: 'Pets', schema }, item, ...more })
const list = (file: unknown, base_url?: string) => collection.list(ofFile(file, base_url), signal)
const request = (given: object) =>
  fileOf([{ name: 'one', request: { method: 'POST', url: 'https://api.example/x', ...given } }])
const run = async (file: unknown, args: object, base_url = service.url) => {
  const [action] = await list(file, base_url)
  const ended = await collection.call(
    ofFile(file, base_url),
    action ?? expect.fail(),
    { ...args },
    optionsOf().options,
  )
  return ended.ok ? Object(ended.data).body : ended
}

const variable = [
  { key: 'baseUrl', value: '{{scheme}}://127.0.0.1:{{port}}/v1' },
  { key: 'scheme', value: 'http' },
  { key: 'view', value: 'full' },
]
const file = fileOf(
  [
    {
      name: 'Pets',
      item: [
        {
          name: 'Get a pet!',
          event: [{ listen: 'test', script: { exec: ['throw new Error("ran")'] } }],
          request: {
            method: 'GET',
            description: { content: 'Reads one.' },
            auth: { type: 'bearer', bearer: [{ key: 'token', value: 'of-the-file' }] },
            header: [
              { key: 'X-Kind', value: '{{kind}}' },
              { key: 'X-Off', value: '1', disabled: true },
            ],
            url: {
              raw: '{{baseUrl}}/pets/:id?view={{view}}&all=1',
              host: ['{{baseUrl}}'],
              path: ['pets', ':id'],
              query: [
                { key: 'view', value: '{{view}}' },
                { key: 'off', value: '1', disabled: true },
                { key: 'all', value: '1' },
              ],
              variable: [{ key: 'id', value: '' }],
            },
          },
          response: [{ name: 'old', body: 'x' }],
        },
        { name: 'get a pet', request: '{{baseUrl}}/pets' },
        { name: 'Gone', request: { method: 'DELETE', url: '{{baseUrl}}/pets/{{id}}/x{{id}}' } },
      ],
    },
  ],
  {
    auth: { type: 'bearer', bearer: [{ key: 'token', value: 'of-the-file' }] },
  },
)
const withPort = () => ({
  ...file,
  variable: [...variable, { key: 'port', value: new URL(service.url).port }],
})

describe('a file', () => {
  let actions: Awaited<ReturnType<typeof list>> = []
  beforeAll(async () => void (actions = await list(withPort())))

  test('has an action for each request, with its variables as arguments', async () => {
    expect(actions.map(({ action, risk, title }) => [action, risk, title])).toEqual([
      ['get_a_pet', 'read', 'Get a pet!'],
      ['get_a_pet_2', 'read', 'get a pet'],
      ['gone', 'destructive', 'Gone'],
    ])
    const scalar = { type: ['string', 'number', 'boolean'] }
    expect(actions[0]).toMatchObject({
      description: 'Reads one.',
      input_schema: {
        properties: { id: scalar, view: { ...scalar, default: 'full' }, kind: scalar },
        required: ['id', 'kind'],
        additionalProperties: false,
      },
    })
    expect(await collection.origin(ofFile(withPort()))).toBe(service.url)
    expect(JSON.stringify(actions)).not.toContain('of-the-file')
  })
  test('is called with them, and with no script or auth of its own', async () => {
    const { options } = optionsOf()
    const args = { id: 'a/b?c', kind: 'k' }
    const ended = await collection.call(ofFile(withPort()), actions[0] ?? expect.fail(), args, options)
    expect(ended).toMatchObject({
      ok: true,
      data: {
        body: { method: 'GET', url: '/v1/pets/a%2Fb%3Fc?view=full&all=1', headers: { 'x-kind': 'k' } },
      },
    })
    expect(JSON.stringify(ended)).not.toContain('of-the-file')
  })
  test.each([
    [{ id: '..', kind: 'k' }],
    [{ id: '%2e%2e', kind: 'k' }],
    [{ id: '../..', kind: 'k' }],
    [{ id: '1', kind: 'k\r\nhost: x' }],
    [{ id: '1' }],
  ])('refuses %j', async (args) => {
    const before = service.requests
    const ended = await collection.call(
      ofFile(withPort()),
      actions[0] ?? expect.fail(),
      args,
      optionsOf().options,
    )
    expect(ended).toMatchObject({ ok: false, reason: 'invalid_arguments', sent: false })
    expect(service.requests).toBe(before)
  })
  test('keeps its path below the address of the manifest', async () => {
    const base = `${service.url}/other`
    expect(await collection.origin(ofFile(withPort(), base))).toBe(service.url)
    expect(
      await run(withPort(), { id: 1, kind: 'k', baseUrl: 'http://169.254.169.254' }, base),
    ).toMatchObject({
      url: '/other/pets/1?view=full&all=1',
    })
  })
})

describe('a body', () => {
  test('of JSON keeps its shape, whatever the arguments hold', async () => {
    const raw = '{"name": "{{name}}", "n": {{n}}, "list": [{{any}}], "esc": "\\"{{name}}"}'
    const given = request({ body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } })
    const evil = '", "admin": true, "x": "\\'
    const { body, headers } = await run(given, { name: evil, n: 7, any: { a: ['"'] } })
    expect(JSON.parse(body)).toEqual({ name: evil, n: 7, list: [{ a: ['"'] }], esc: `"${evil}` })
    expect(headers['content-type']).toBe('application/json')
    const [action] = await list(given)
    expect(action?.input_schema).toMatchObject({
      properties: { n: {}, any: {} },
      required: ['name', 'n', 'any'],
    })
  })
  test('of JSON holds for any argument', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (text, value) => {
        const made = filledJson('{"a": "x{{ t }}y", "b": {{v}}, "c\\\\": "{{t}}"}', (name) =>
          name === 't' ? text : value,
        )
        const plain = Buffer.from(text).toString()
        expect(JSON.parse(made)).toEqual({
          a: `x${plain}y`,
          b: JSON.parse(JSON.stringify(value)),
          'c\\': plain,
        })
      }),
    )
  })
  test('of XML is escaped', async () => {
    const given = request({
      body: { mode: 'raw', raw: '<a b="{{v}}"/>', options: { raw: { language: 'xml' } } },
    })
    expect(await run(given, { v: '"/><c>&' })).toMatchObject({ body: '<a b="&quot;/&gt;&lt;c&gt;&amp;"/>' })
  })
  test('of a form, of parts and of a file', async () => {
    const pairs = [
      { key: 'a', value: '{{v}}' },
      { key: 'b', value: 'x y', disabled: true },
    ]
    const form = request({ body: { mode: 'urlencoded', urlencoded: pairs } })
    expect(await run(form, { v: 'x&b=1' })).toMatchObject({ body: 'a=x%26b%3D1' })
    const parts = request({
      header: [{ key: 'Content-Type', value: 'multipart/form-data' }],
      body: { mode: 'formdata', formdata: [...pairs, { key: 'f', type: 'file', src: '/etc/passwd' }] },
    })
    const sent = await run(parts, { v: 'x', f: btoa('content') })
    expect(sent.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(sent.body).toMatch(/name="a"\r\n\r\nx\r\n/)
    expect(sent.body).toMatch(/filename="f"[^]*\r\n\r\ncontent\r\n/)
    const whole = request({ body: { mode: 'file', file: { src: '/etc/passwd' } } })
    expect(await run(whole, { body: btoa('bytes') })).toMatchObject({ body: 'bytes' })
  })
  test('of GraphQL takes values as variables, and words in its text', async () => {
    const graphql = { query: 'query { pet(id: "{{id}}") { id } }', variables: '{"v": {{v}}}' }
    const given = request({ body: { mode: 'graphql', graphql } })
    const { body } = await run(given, { id: 'a-1', v: '"' })
    expect(JSON.parse(body)).toEqual({ query: 'query { pet(id: "a-1") { id } }', variables: { v: '"' } })
    expect(await run(given, { id: '") { id } } mutation {', v: 1 })).toMatchObject({
      reason: 'invalid_arguments',
    })
  })
})

describe('a file is refused', () => {
  const at = (url: string) => ({ name: 'x', request: { method: 'GET', url } })
  test.each([
    [{ info: {}, requests: [] }, 'no Postman collection'],
    ['[]', 'no Postman collection'],
    [
      fileOf([], {
        info: { schema: 'https://schema.getpostman.com/json/collection/v1.0.0/collection.json' },
      }),
      'v2.1',
    ],
    [fileOf([]), 'no request'],
    [fileOf([at('https://a.example/x'), at('https://b.example/x')]), 'several hosts'],
    [fileOf([at('{{unknown}}/x')]), 'set `base_url`'],
    [fileOf([at('https://{{tenant}}.example/x')]), 'set `base_url`'],
    [fileOf([at('/x')]), 'set `base_url`'],
    [fileOf(Array.from({ length: 5_001 }, () => at('https://a.example'))), '5000'],
    [
      fileOf([at('{{a}}/x')], {
        variable: [
          { key: 'a', value: '{{b}}{{b}}' },
          { key: 'b', value: '{{a}}{{a}}' },
        ],
      }),
      'set `base_url`',
    ],
  ])('%#: %j', async (given, words) => {
    await expect(list(given)).rejects.toMatchObject({
      reason: 'connector_unusable',
      message: expect.stringContaining(words),
    })
  })
  test('folders without end are read in bounds', async () => {
    const nested =
      '{"item":['.repeat(50_000) + '{"name":"x","request":"https://a.example/x"}' + ']}'.repeat(50_000)
    expect(await list(`{"info":{},"item":[${nested}]}`)).toMatchObject([
      { action: 'x', binding: { path: '/x' } },
    ])
  })
})
