import { getRequestListener } from '@hono/node-server'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../../testing/service.ts'
import type { list } from '../../testing/openapi.ts'
import { documentOf, ofDocument, only, openapi } from '../../testing/openapi.ts'
import { connectorOf, optionsOf, targetOf } from '../../testing/target.ts'

const pet = z.object({ name: z.string(), tags: z.array(z.string()).optional() }).openapi('Pet')
const app = new OpenAPIHono()
app.openapi(
  createRoute({
    method: 'put',
    path: '/owners/{id}/pets',
    operationId: 'putPet',
    summary: 'Put a pet',
    request: {
      params: z.object({ id: z.string() }),
      query: z.object({ id: z.string(), tag: z.array(z.string()).optional() }),
      headers: z.object({ 'x-trace': z.string().optional() }),
      body: { required: true, content: { 'application/json': { schema: pet.extend({ id: z.number() }) } } },
    },
    responses: { 200: { description: 'Put.', content: { 'application/json': { schema: z.any() } } } },
  }),
  (c) =>
    c.json({
      param: c.req.valid('param'),
      query: c.req.valid('query'),
      body: c.req.valid('json'),
      trace: c.req.header('x-trace'),
      auth: c.req.header('authorization'),
    }),
)
app.openapi(
  createRoute({
    method: 'delete',
    path: '/pets/{name}',
    request: { params: z.object({ name: z.string() }) },
    responses: { 204: { description: 'Gone.' } },
  }),
  (c) => c.body(null, 204),
)
app.post('/upload', async (c) => {
  const form = await c.req.formData()
  const file = form.get('file')
  return c.json({ note: form.get('note'), file: file instanceof File ? await file.text() : null })
})
app.get('/spec.json', (c) =>
  c.json({ ...app.getOpenAPI31Document({ openapi: '3.1.0', info }), servers: [{ url: '/' }] }),
)
app.get('/moved.json', (c) => c.redirect('/spec.json'))
const info = { title: 'Pets', version: '1' }
const service = serve((req, res) => void getRequestListener(app.fetch)(req, res))

const signal = AbortSignal.timeout(60_000)

describe('a service of another library', () => {
  const target = () =>
    targetOf(connectorOf({ provider: 'openapi', spec: `${service.url}/spec.json`, base_url: null }))
  let actions: Awaited<ReturnType<typeof list>> = []
  beforeAll(async () => void (actions = await openapi.list(target(), signal)))

  test('has an action for each operation', async () => {
    expect(actions.map(({ action, risk, title }) => [action, risk, title])).toEqual([
      ['putPet', 'write', 'Put a pet'],
      ['delete_pets_name', 'destructive', null],
    ])
    expect(await openapi.origin(target())).toBe(service.url)
    const schema = actions[0]?.input_schema
    expect(Object.keys(Object(schema).properties).sort()).toEqual([
      'body.id',
      'id',
      'name',
      'query.id',
      'tag',
      'tags',
      'x-trace',
    ])
    expect(Object(schema).required.toSorted()).toEqual(['body.id', 'id', 'name', 'query.id'])
  })

  test('is called as it describes itself', async () => {
    const args = {
      id: 'a/b ?#é',
      'query.id': '&=',
      tag: ['x', 'y'],
      name: 'Rex',
      'body.id': 7,
      'x-trace': 't',
    }
    const action = actions[0] ?? expect.fail()
    const { options } = optionsOf()
    const withToken = { ...target(), connector: { ...target().connector, auth: { type: 'bearer' } as const } }
    const ended = await openapi.call(
      { ...withToken, credential: { token: 'token-of-pets' } },
      action,
      args,
      options,
    )
    expect(ended).toMatchObject({
      ok: true,
      data: {
        body: {
          param: { id: 'a/b ?#é' },
          query: { id: '&=', tag: ['x', 'y'] },
          body: { name: 'Rex', id: 7 },
          trace: 't',
          auth: 'Bearer [redacted]',
        },
      },
    })
  })

  test.each(['..', '../x', '%2e%2e', '..%2f..', 'a\\..\\..'])(
    'an argument %j leads nowhere else',
    async (name) => {
      const before = service.requests
      const action = actions[1] ?? expect.fail()
      const ended = await openapi.call(target(), action, { name }, optionsOf().options)
      expect(ended).toMatchObject({ ok: false, reason: 'invalid_arguments', sent: false })
      expect(service.requests).toBe(before)
    },
  )

  test('what is missing is said', async () => {
    const ended = await openapi.call(target(), actions[1] ?? expect.fail(), {}, optionsOf().options)
    expect(ended).toMatchObject({ reason: 'invalid_arguments', message: expect.stringContaining('`name`') })
  })

  test('a document that moved, is missing or is behind a wall is not read', async () => {
    const at = (spec: string) =>
      openapi.list(targetOf(connectorOf({ provider: 'openapi', spec, base_url: null })), signal)
    await expect(at(`${service.url}/moved.json`)).rejects.toMatchObject({ reason: 'redirect_refused' })
    await expect(at(`${service.url}/none.json`)).rejects.toMatchObject({ reason: 'upstream_error' })
    await expect(at('https://169.254.169.254/x')).rejects.toMatchObject({ reason: 'address_not_allowed' })
    await expect(at('file:///etc/passwd')).rejects.toMatchObject({ reason: 'address_not_allowed' })
    await expect(at('other.json')).rejects.toMatchObject({ reason: 'connector_unusable' })
  })
})

describe('a body', () => {
  const withBody = (content: object) =>
    documentOf(
      { '/upload': { post: { requestBody: { required: true, content } } } },
      { servers: [{ url: service.url }] },
    )
  test('of a form with a file is sent as one', async () => {
    const schema = {
      type: 'object',
      properties: { note: { type: 'string' }, file: { type: 'string', format: 'binary' } },
    }
    const document = withBody({ 'multipart/form-data': { schema } })
    const args = { note: 'n', file: Buffer.from('content').toString('base64') }
    const ended = await openapi.call(ofDocument(document), await only(document), args, optionsOf().options)
    expect(ended).toMatchObject({ ok: true, data: { body: { note: 'n', file: 'content' } } })
  })
  test.each([
    ['a list', { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } }],
    [
      'one of several',
      { 'application/json': { schema: { oneOf: [{ type: 'object', properties: { a: {} } }] } } },
    ],
    [
      'an object of any names',
      {
        'application/json': { schema: { type: 'object', properties: { a: {} }, additionalProperties: true } },
      },
    ],
    ['plain text', { 'text/plain': { schema: { type: 'string' } } }],
  ])('that is %s stays one argument', async (_, content) => {
    const { input_schema } = await only(withBody(content))
    expect(Object.keys(Object(input_schema).properties)).toEqual(['body'])
    expect(input_schema['required']).toEqual(['body'])
  })
  test('of several parts has the fields of all', async () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { a: {} }, required: ['a'] },
        { type: 'object', properties: { b: {} } },
      ],
    }
    const { input_schema } = await only(withBody({ 'application/json': { schema } }))
    expect(input_schema).toMatchObject({ properties: { a: {}, b: {} }, required: ['a'] })
  })
})

describe('styles of parameters', () => {
  const echo = (parameters: unknown[], path = '/echo') =>
    documentOf({ [path]: { get: { operationId: 'echo', parameters } } }, { servers: [{ url: service.url }] })
  app.get('/echo/*', (c) => c.json({ url: c.req.url.replace(service.url, ''), x: c.req.header('x-list') }))
  app.get('/echo', (c) => c.json({ url: c.req.url.replace(service.url, '') }))
  const urlFor = async (document: unknown, args: object) => {
    const ended = await openapi.call(
      ofDocument(document),
      await only(document),
      { ...args },
      optionsOf().options,
    )
    return ended.ok ? Object(ended.data).body : expect.fail(JSON.stringify(ended))
  }
  const list3 = ['a', 'b c']
  const object = { k: 1, 'l m': 'x' }
  test.each([
    [{ in: 'query' }, list3, '?p=a&p=b%20c'],
    [{ in: 'query', explode: false }, list3, '?p=a,b%20c'],
    [{ in: 'query', style: 'spaceDelimited', explode: false }, list3, '?p=a%20b%20c'],
    [{ in: 'query', style: 'pipeDelimited', explode: false }, list3, '?p=a%7Cb%20c'],
    [{ in: 'query' }, object, '?k=1&l%20m=x'],
    [{ in: 'query', style: 'deepObject' }, object, '?p%5Bk%5D=1&p%5Bl%20m%5D=x'],
    [
      { in: 'query', content: { 'application/json': {} } },
      object,
      '?p=%7B%22k%22%3A1%2C%22l%20m%22%3A%22x%22%7D',
    ],
    [{ in: 'query' }, true, '?p=true'],
    [{ in: 'path', required: true }, list3, '/a,b%20c'],
    [{ in: 'path', style: 'label', explode: true }, list3, '/.a.b%20c'],
    [{ in: 'path', style: 'matrix' }, list3, '/;p=a,b%20c'],
    [{ in: 'path', style: 'matrix', explode: true }, object, '/;k=1;l%20m=x'],
  ])('%j', async (parameter, value, written) => {
    const path = parameter.in === 'path' ? '/echo/{p}' : '/echo'
    const { url } = await urlFor(echo([{ name: 'p', ...parameter }], path), { p: value })
    expect(url).toBe(`/echo${written}`)
  })
  test('a header', async () => {
    const document = echo(
      [
        { name: 'X-List', in: 'header' },
        { name: 'Cookie', in: 'header' },
        { name: 'sid', in: 'cookie', required: true },
      ],
      '/echo/h',
    )
    const action = await only(document)
    expect(Object.keys(Object(action.input_schema['properties']))).toEqual(['X-List'])
    expect(await urlFor(document, { 'X-List': list3 })).toMatchObject({ x: 'a,b c' })
  })
})
