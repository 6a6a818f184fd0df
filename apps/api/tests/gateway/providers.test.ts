import { gatewayProviders } from '@svc/db'
import { beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../support/serve.ts'
import { openWorld } from '../support/world.ts'
import { stubProvider } from './stub-provider.ts'

const { platform, account_id, ask, newProject } = await openWorld()
const { db } = platform.parts
const stub = await stubProvider()
const secret = 'sk-live-0123456789abcdef'
const open = { ...platform.parts.settings, outbound_addresses: ['127.0.0.0/8'] }
const beside = await serve({ ...platform, parts: { ...platform.parts, settings: open } })
const keyless = await serve({ ...platform, parts: { ...platform.parts, provider_sealer: undefined } })

let project: string
beforeAll(async () => {
  project = `/v1/projects/${await newProject()}/gateway`
})

const acme = { slug: 'acme', kind: 'openai_compatible', base_url: 'https://8.8.8.8/v1' }
let count = 0
const another = () => ({ ...acme, slug: `acme-${count++}` })

async function at(api: { readonly origin: string }, method: string, path: string, json?: unknown) {
  const answer = await fetch(`${api.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${platform.owner.token}`, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}

describe('a provider', () => {
  test('is made with a key that is sealed, and never shown again', async () => {
    const made = await ask('POST', `${project}/providers`, { ...acme, api_key: secret })
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...acme,
        scope: 'project',
        models: null,
        output_limit_field: 'max_tokens',
        enabled: true,
        managed_by: 'api',
        keys: [{ name: 'first', hint: 'cdef', enabled: true, last_used_at: null, last_error: null }],
      },
    })
    const listed = await ask('GET', `${project}/providers`)
    expect(Object(listed.body).providers).toEqual([made.body])
    const stored = await db.selectFrom('gateway_provider_keys').selectAll().execute()
    const events = await db.selectFrom('audit_events').selectAll().execute()
    const everything = [made.text, listed.text, JSON.stringify([stored, events]), platform.lines.join()]
    expect(everything.join()).not.toContain(secret)
    const [key] = stored
    const place = [key?.provider_id ?? '', key?.key_id ?? '']
    expect(platform.parts.provider_sealer?.open(place, key?.sealed ?? '')).toBe(secret)
  })

  test('of a slug that is taken is 409, in another place it is another one', async () => {
    expect(await ask('POST', `${project}/providers`, acme)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    for (const path of [`/v1/accounts/${account_id}/gateway`, '/v1/admin/gateway'])
      expect((await ask('POST', `${path}/providers`, acme)).status).toBe(201)
    expect(Object((await ask('GET', `${project}/providers`)).body).providers).toHaveLength(1)
  })

  test.each(['svc', 'auto', 'Acme', '-a', '', 'a'.repeat(65)])('is not called %j', async (slug) => {
    expect((await ask('POST', `${project}/providers`, { ...acme, slug })).status).toBe(400)
  })

  test.each([
    'http://8.8.8.8/v1',
    'https://127.0.0.1/v1',
    'https://169.254.169.254/latest',
    'https://[::1]/v1',
    'https://localhost/v1',
  ])('is not at %s', async (base_url) => {
    const expected = { status: 400, body: { code: 'address_not_allowed' } }
    const of = { ...another(), base_url }
    expect(await ask('POST', `${project}/providers`, of)).toMatchObject(expected)
    expect(await ask('POST', `/v1/accounts/${account_id}/gateway/providers`, of)).toMatchObject(expected)
    expect(await ask('PATCH', `${project}/providers/acme`, { base_url })).toMatchObject(expected)
  })

  test.each(['https://user:pass@8.8.8.8/v1', 'https://8.8.8.8/v1?key=1', 'ftp://8.8.8.8/v1', 'acme'])(
    'has no base_url %s',
    async (base_url) => {
      const answer = await ask('POST', `${project}/providers`, { ...another(), base_url })
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    },
  )

  test('of an operator may be anywhere, and that of others within SVC_OUTBOUND_ADDRESSES', async () => {
    const local = { ...another(), base_url: stub.base_url }
    expect((await ask('POST', '/v1/admin/gateway/providers', local)).status).toBe(201)
    expect((await at(beside, 'POST', `${project}/providers`, local)).status).toBe(201)
  })

  test('is changed by what is named, and loses its keys with itself', async () => {
    const { slug } = Object(
      (await ask('POST', `${project}/providers`, { ...another(), api_key: secret })).body,
    )
    const path = `${project}/providers/${slug}`
    const changes = {
      models: [{ id: 'great', context_window: 1000 }],
      deadlines: { idle_ms: 5 },
      enabled: false,
    }
    expect(await ask('PATCH', path, changes)).toMatchObject({
      status: 200,
      body: { ...changes, base_url: acme.base_url },
    })
    expect((await ask('PATCH', path, { kind: 'openai' })).status).toBe(400)
    expect((await ask('DELETE', path)).status).toBe(204)
    expect((await ask('DELETE', path)).status).toBe(404)
    expect((await ask('PATCH', path, {})).status).toBe(404)
  })

  test('keeps its origin while it has keys: an address change would send them elsewhere', async () => {
    const made = await ask('POST', `${project}/providers`, { ...another(), api_key: secret })
    const path = `${project}/providers/${made.pick('slug')}`
    const moved = { base_url: 'https://8.8.4.4/v1' }
    expect(await ask('PATCH', path, moved)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await ask('PATCH', path, { base_url: 'https://8.8.8.8/v2' })).status).toBe(200)
    await ask('DELETE', `${path}/keys/${made.pick('keys.0.key_id')}`)
    expect((await ask('PATCH', path, moved)).status).toBe(200)
  })

  test('of the environment is changed in the environment alone', async () => {
    const now = new Date()
    await gatewayProviders.replaceNamed(db, [
      {
        ...{ provider_id: platform.parts.newId(), slug: 'named', kind: 'openai', base_url: stub.base_url },
        ...{ models: null, deadlines: '{}', output_limit_field: 'max_tokens' },
        ...{ created_at: now, updated_at: now },
        key: { key_id: platform.parts.newId(), name: 'ACME_KEY', variable: 'ACME_KEY', hint: 'abcd' },
      },
    ])
    const path = '/v1/admin/gateway/providers/named'
    const key = { name: 'x', api_key: secret }
    for (const [method, below, json] of [
      ['PATCH', '', { enabled: false }],
      ['DELETE', '', undefined],
      ['POST', '/keys', key],
      ['POST', '/test', undefined],
    ] as const)
      expect(await ask(method, `${path}${below}`, json)).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      })
    const { providers } = Object((await ask('GET', '/v1/admin/gateway/providers')).body)
    expect(providers).toContainEqual(expect.objectContaining({ slug: 'named', managed_by: 'environment' }))
  })
})

describe('keys', () => {
  test('are at most ten, each with a name of its own, also when they come at once', async () => {
    const path = `${project}/providers/${(await ask('POST', `${project}/providers`, another())).pick('slug')}/keys`
    const names = Array.from({ length: 12 }, (_, index) => `key ${index}`)
    const answers = await Promise.all(
      names.map((name) => ask('POST', path, { name, api_key: `${secret}${name.replace(' ', '')}` })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(10)
    expect(statuses.filter((status) => status === 409)).toHaveLength(2)
    const [kept] = answers.filter(({ status }) => status === 201)
    const one = `${path}/${kept?.pick('key_id')}`
    expect((await ask('DELETE', one)).status).toBe(204)
    expect((await ask('DELETE', one)).status).toBe(404)
    const twin = answers.find(({ status, text }) => status === 201 && text !== kept?.text)?.pick('name')
    expect((await ask('POST', path, { name: twin, api_key: secret })).status).toBe(409)
  })

  test('are refused where the API cannot seal them, and the variable is named', async () => {
    const refused = {
      status: 409,
      body: { code: 'conflict', message: expect.stringContaining('SVC_GATEWAY_MASTER_KEY') },
    }
    const path = `${project}/providers`
    expect(await at(keyless, 'POST', path, { ...another(), api_key: secret })).toMatchObject(refused)
    const made = await at(keyless, 'POST', path, another())
    expect(made.status).toBe(201)
    expect(
      await at(keyless, 'POST', `${path}/${made.body.slug}/keys`, { name: 'x', api_key: secret }),
    ).toMatchObject(refused)
  })

  test.each(['', 'a b', 'a\n', 'ü'])('%j is none', async (api_key) => {
    expect((await ask('POST', `${project}/providers`, { ...another(), api_key })).status).toBe(400)
  })
})

describe('a test', () => {
  const made = async (api_key?: string) => {
    const body = { ...another(), base_url: stub.base_url, ...(api_key === undefined ? {} : { api_key }) }
    return `${project}/providers/${(await at(beside, 'POST', `${project}/providers`, body)).body.slug}/test`
  }

  test('asks for the models with the first key', async () => {
    const answer = await at(beside, 'POST', await made(secret))
    expect(answer).toEqual({
      status: 200,
      body: {
        ok: true,
        status: 200,
        latency_ms: expect.any(Number),
        models: ['one', 'two'],
        message: expect.any(String),
      },
    })
    expect(stub.asked.at(-1)).toEqual({ url: '/v1/models', key: `Bearer ${secret}` })
    await at(beside, 'POST', await made())
    expect(stub.asked.at(-1)?.key).toBeUndefined()
  })

  test('tells what the provider said, without the key that it repeats', async () => {
    stub.answers((_, res) => void res.writeHead(401).end(`{"error":{"message":"Wrong key ${secret}"}}`))
    const answer = await at(beside, 'POST', await made(secret))
    stub.answers(null)
    expect(answer.body).toMatchObject({
      ok: false,
      status: 401,
      models: [],
      message: 'It answered 401: Wrong key [key]',
    })
    expect(platform.lines.join()).not.toContain(secret)
  })

  test('follows no redirect, and tells of a provider that does not answer', async () => {
    const path = await made(secret)
    stub.answers((_, res) => void res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
    expect((await at(beside, 'POST', path)).body).toMatchObject({ ok: false, status: 302 })
    stub.answers((req) => void req.socket.destroy())
    expect((await at(beside, 'POST', path)).body).toMatchObject({ ok: false, status: null })
    stub.answers(null)
    // The same row, in a deployment that does not open the address.
    const closed = await ask('POST', path)
    expect(closed.body).toMatchObject({
      ok: false,
      status: null,
      message: expect.stringContaining('not public'),
    })
  })
})
