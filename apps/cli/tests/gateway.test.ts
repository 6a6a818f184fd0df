import { describe, expect, it } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { projectId } from './support/records.ts'
import type { Answer } from './support/stub-api.ts'

const key_id = '11111111-1111-4111-8111-111111111111'
const account_id = '22222222-2222-4222-8222-222222222222'
const project = `/v1/projects/${projectId}/gateway`
const ok = (body: unknown, status = 200): Answer => ({ status, body })
const { api, ...world } = await openWorld({})
const bodyOf = (method: string) => api.calls.findLast((call) => call.method === method)?.body
const run = (...args: string[]) => world.run(args)
const withKey = (...args: string[]) => world.run(args, { input: 'sk-the-key\n' })

const provider = {
  slug: 'acme',
  kind: 'openai_compatible',
  base_url: 'https://models.acme.example/v1',
  models: ['great'],
  enabled: true,
  managed_by: 'api',
  keys: [{ key_id, name: 'first', hint: 'wxyz', last_error: null }],
}

describe('providers', () => {
  it.each([
    ['of a project', project, ['gateway', 'providers'], []],
    [
      'of an account',
      `/v1/accounts/${account_id}/gateway`,
      ['gateway', 'providers'],
      ['--account', account_id],
    ],
    ['of the operator', '/v1/admin/gateway', ['admin', 'providers'], []],
  ])('%s ls, add, test, rm, and their keys', async (_, base, group, place) => {
    api.routes[`GET ${base}/providers`] = () => ok({ providers: [provider] })
    api.routes[`POST ${base}/providers`] = () => ok(provider, 201)
    api.routes[`DELETE ${base}/providers/acme`] = () => ({ status: 204 })
    api.routes[`POST ${base}/providers/acme/test`] = () =>
      ok({ ok: true, status: 200, latency_ms: 5, models: ['great'], message: 'It lists 1 model' })
    api.routes[`POST ${base}/providers/acme/keys`] = () => ok({ key_id }, 201)
    api.routes[`DELETE ${base}/providers/acme/keys/${key_id}`] = () => ({ status: 204 })
    expect((await run(...group, 'ls', ...place)).stdout).toMatch(
      /acme\s+openai_compatible\s+https:\S+\s+1\s+first …wxyz\s+on/,
    )
    const url = ['--url', provider.base_url]
    const added = await withKey(
      ...group,
      'add',
      'acme',
      ...url,
      '--api-key',
      '-',
      '--model',
      'great',
      ...place,
    )
    expect(added).toMatchObject({ code: 0, stdout: 'Added acme\n' })
    expect(bodyOf('POST')).toEqual({
      ...{ slug: 'acme', kind: 'openai_compatible', base_url: provider.base_url, models: ['great'] },
      api_key: 'sk-the-key',
    })
    expect((await run(...group, 'test', 'acme', ...place)).stdout).toBe(
      'ok after 5 ms: It lists 1 model\nacme/great\n',
    )
    expect((await run(...group, 'keys', 'ls', 'acme', ...place)).stdout).toContain(key_id)
    const second = await withKey(...group, 'keys', 'add', 'acme', 'second', '--api-key', '-', ...place)
    expect(second.stdout).toBe(`Added ${key_id}\n`)
    expect(bodyOf('POST')).toEqual({ name: 'second', api_key: 'sk-the-key' })
    expect((await run(...group, 'keys', 'rm', 'acme', key_id, ...place)).code).toBe(0)
    expect((await run(...group, 'rm', 'acme', ...place)).stdout).toBe('Removed acme\n')
  })

  it('refuse a key in the arguments, and say how it is given', async () => {
    for (const words of [
      ['providers', 'add', 'acme', '--url', provider.base_url],
      ['providers', 'keys', 'add', 'acme', 'second'],
    ]) {
      const { code, stderr } = await run('gateway', ...words, '--api-key', 'sk-the-key')
      expect(code).toBe(2)
      expect(stderr).toContain(`svc gateway ${words.slice(0, 4).join(' ')}`)
      expect(stderr).toContain('--api-key -')
      expect(stderr).not.toContain('sk-the-key')
    }
    expect(
      (await world.run(['gateway', 'providers', 'add', 'a', '--url', 'x', '--api-key', '-'], { input: '' }))
        .code,
    ).toBe(2)
    expect(api.calls).toEqual([])
  })

  it('a test that fails is exit code 1', async () => {
    api.routes[`POST ${project}/providers/acme/test`] = () =>
      ok({ ok: false, status: 401, latency_ms: 5, models: [], message: 'It answered 401' })
    expect(await run('gateway', 'providers', 'test', 'acme')).toMatchObject({
      code: 1,
      stdout: 'failed after 5 ms: It answered 401\n',
    })
  })
})

it('models are listed with their prices, and with what is not metered', async () => {
  const one = {
    model: 'acme/great',
    provider_scope: 'project',
    context_window: 9,
    allowed: true,
    default: true,
  }
  const price = { card: { input: 3_000_000, output: 300_000 } }
  api.routes[`GET ${project}/models`] = () =>
    ok({
      models: [
        { ...one, price },
        { ...one, model: 'demo', price: null, allowed: false, default: false },
      ],
    })
  const { stdout, stderr } = await run('gateway', 'models')
  expect(stdout).toMatch(/acme\/great\s+project\s+9\s+\$3\.00\s+\$0\.30\s+default/)
  expect(stdout).toMatch(/demo\s+project\s+9\s+no price\s+no price\s+not allowed/)
  expect(stderr).toContain('<PROVIDER>_API_KEY')
})

it('prices are USD for a million tokens', async () => {
  const price = { model: 'acme/great', source: 'project', card: { input: 3_000_000, output: 15_000_000 } }
  api.routes[`PUT ${project}/prices`] = () => ok(price)
  api.routes[`GET ${project}/prices`] = () => ok({ prices: [price] })
  api.routes[`DELETE ${project}/prices`] = () => ({ status: 204 })
  const set = ['gateway', 'prices', 'set', 'acme/great', '--input', '3', '--output', '$15.00']
  expect((await run(...set, '--cache-read', '0.3')).stdout).toBe(
    'acme/great: $3.00 in, $15.00 out, a million tokens\n',
  )
  expect(bodyOf('PUT')).toEqual({ model: 'acme/great', card: { ...price.card, cache_read: 300_000 } })
  expect((await run('gateway', 'prices', 'ls')).stdout).toMatch(/acme\/great\s+\$3\.00\s+\$15\.00\s+project/)
  expect((await run('gateway', 'prices', 'rm', 'acme/great')).code).toBe(0)
  expect(api.calls.at(-1)?.query.get('model')).toBe('acme/great')
  expect((await run(...set.slice(0, -1), 'much')).code).toBe(2)
})

it('settings are shown, and changed by what is given', async () => {
  const fallbacks = { 'acme/great': ['acme/small'] }
  const before = {
    ...{ enabled: true, offered: true, entitled: true, base_url: 'https://svc.example/v1/llm' },
    ...{ default_model: null, models: null, agents: {}, fallbacks, log_bodies: false, body_days: 7 },
  }
  api.routes[`GET ${project}`] = () => ok(before)
  api.routes[`PATCH ${project}`] = ({ body }) => ok({ ...before, ...Object(body) })
  expect((await run('gateway', 'settings')).stdout).toBe(
    [
      'Gateway: on',
      'Address: https://svc.example/v1/llm',
      'Default model: as the next place says',
      'Models: all',
      'Fallbacks of acme/great: acme/small',
      'Bodies: not kept',
      '',
    ].join('\n'),
  )
  const change = ['--default-model', 'acme/great', '--models', 'acme/*,demo', '--log-bodies', 'on']
  const more = ['--fallback', 'acme/small=other/x,theirs/y+billed', 'acme/great=']
  expect((await run('gateway', 'settings', ...change, ...more)).stdout).toContain('Bodies: kept for 7 days')
  expect(bodyOf('PATCH')).toEqual({
    ...{ default_model: 'acme/great', models: ['acme/*', 'demo'], log_bodies: true },
    fallbacks: { 'acme/small': ['other/x', { model: 'theirs/y', billed: true }] },
  })
  await run('gateway', 'settings', '--default-model', 'none', '--models', 'all')
  expect(bodyOf('PATCH')).toEqual({ default_model: null, models: null })
})
