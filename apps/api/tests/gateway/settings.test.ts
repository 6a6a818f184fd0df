import { features, plans } from '@svc/db'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'
import { stubProvider } from './stub-provider.ts'

const stub = await stubProvider()
const { platform, account_id, ask, newProject } = await openWorld()
const { db } = platform.parts
let project_id: string
let project: string
const account = `/v1/accounts/${account_id}/gateway`
const operator = '/v1/admin/gateway'

beforeAll(async () => {
  project_id = await newProject()
  project = `/v1/projects/${project_id}/gateway`
  const provider = {
    slug: 'acme',
    kind: 'openai',
    base_url: 'https://8.8.8.8/v1',
    models: ['great', 'small'],
  }
  await ask('POST', `${project}/providers`, provider)
  await ask('POST', `${account}/providers`, {
    ...provider,
    slug: 'ours',
    models: [{ id: 'm', context_window: 9 }],
  })
  await ask('POST', `${operator}/providers`, {
    ...provider,
    slug: 'theirs',
    base_url: stub.base_url,
    models: null,
  })
  await ask('POST', `${operator}/providers`, { ...provider, models: ['hidden'] })
})

const nothing = {
  ...{ default_model: null, models: null, agents: {}, fallbacks: {}, log_bodies: false, body_days: 7 },
}

const models = async () => Object((await ask('GET', `${project}/models`)).body).models

describe('settings', () => {
  test('of a project say whether it has the gateway', async () => {
    const flag = { project_id, feature: 'model_gateway', updated_by: platform.owner.user_id } as const
    await features.set(db, { ...flag, enabled: false, updated_at: new Date() })
    const expected = { enabled: false, offered: false, entitled: true, base_url: null, ...nothing }
    expect(await ask('GET', project)).toMatchObject({ status: 200, body: expected })
    await features.set(db, { ...flag, enabled: true, updated_at: new Date() })
    expect((await ask('GET', project)).body).toEqual({ ...expected, enabled: true })
    expect(await plans.ofProject(db, project_id)).toMatchObject({ gateway: 'managed' })
  })

  test('change by what is named', async () => {
    for (const [path, body] of [
      [project, Object((await ask('GET', project)).body)],
      [`${account}/settings`, nothing],
      [`${operator}/settings`, nothing],
    ] as const) {
      const change = { models: ['*'], agents: { builder: { models: ['acme/*'] } }, body_days: 30 }
      expect(await ask('PATCH', path, change)).toMatchObject({ status: 200, body: { ...body, ...change } })
      const back = { models: null, agents: {}, body_days: 7 }
      expect((await ask('PATCH', path, back)).body).toEqual({ ...body, ...back })
      for (const wrong of [
        { body_days: 0 },
        { body_days: 91 },
        { models: [''] },
        { enabled: true },
        { agents: [] },
      ])
        expect((await ask('PATCH', path, wrong)).status).toBe(400)
    }
  })

  test('name models that are offered in their place, and are told by field where one is not', async () => {
    const refused = async (path: string, change: unknown, field: string) =>
      expect(await ask('PATCH', path, change)).toMatchObject({
        status: 400,
        body: {
          code: 'invalid_request',
          issues: [{ path: field, message: expect.stringContaining('not offered') }],
        },
      })
    await refused(project, { default_model: 'acme/hidden' }, 'default_model')
    await refused(project, { fallbacks: { 'acme/nope': [] } }, 'fallbacks.acme/nope')
    await refused(project, { fallbacks: { 'acme/great': ['ours/x'] } }, 'fallbacks.acme/great.0')
    // An account sees the operator's, and no project's.
    await refused(`${account}/settings`, { default_model: 'acme/great' }, 'default_model')
    const fallbacks = { 'acme/great': ['acme/small', { model: 'theirs/anything', billed: true }] }
    const change = { default_model: 'ours/m', fallbacks }
    expect(await ask('PATCH', project, change)).toMatchObject({ status: 200, body: change })
    const events = await db
      .selectFrom('audit_events')
      .select(['action', 'target', 'details'])
      .where('project_id', '=', project_id)
      .where('action', '=', 'updateGateway')
      .orderBy('seq', 'desc')
      .execute()
    expect(events[0]).toEqual({
      action: 'updateGateway',
      target: `projects/${project_id}/gateway`,
      details: change,
    })
  })
})

describe('models', () => {
  test('are those of the nearest provider of a slug, with who pays, what is allowed and what is the default', async () => {
    await ask('PATCH', project, { models: ['acme/*', 'theirs/*'], default_model: 'acme/small' })
    const listed = await models()
    expect(
      listed.map(({ model, provider_scope, allowed, default: chosen }: Record<string, unknown>) =>
        [model, provider_scope, allowed, chosen].join(' '),
      ),
    ).toEqual([
      'acme/great project true false',
      'acme/small project true true',
      'ours/m account false false',
      'theirs/one operator true false',
      'theirs/two operator true false',
    ])
    expect(listed[2]).toMatchObject({
      context_window: 9,
      max_output_tokens: null,
      price: null,
      kind: 'openai',
    })
    const asked = stub.asked.length
    await models()
    expect(stub.asked.length).toBe(asked)
    await ask('PATCH', project, { models: null, default_model: null })
  })

  test('of a provider that is switched off are not there', async () => {
    await ask('PATCH', `${project}/providers/acme`, { enabled: false })
    expect((await models()).map(({ provider }: Record<string, unknown>) => provider)).not.toContain('acme')
    await ask('PATCH', `${project}/providers/acme`, { enabled: true })
  })
})

describe('prices', () => {
  const card = (input: number) => ({ input, output: 2 * input })
  const priceOf = async (name: string) =>
    (await models()).find(({ model }: Record<string, unknown>) => model === name)?.price

  test('are the nearest place’s, and one that is taken back uncovers the next', async () => {
    const model = 'acme/great'
    for (const [path, input] of [
      [operator, 1],
      [account, 2],
      [project, 3],
    ] as const)
      expect(await ask('PUT', `${path}/prices`, { model, card: card(input) })).toMatchObject({
        status: 200,
        body: { model, card: card(input), price_id: expect.stringMatching(/^[0-9a-f]{16}$/) },
      })
    for (const [path, input, source] of [
      [project, 3, 'project'],
      [account, 2, 'account'],
      [operator, 1, 'operator'],
    ] as const) {
      expect(await priceOf(model)).toMatchObject({ source, card: card(input) })
      const { prices } = Object((await ask('GET', `${path}/prices`)).body)
      expect(prices).toMatchObject([{ model, source, card: card(input) }])
      const gone = `${path}/prices?model=${encodeURIComponent(model)}`
      expect((await ask('DELETE', gone)).status).toBe(204)
      expect((await ask('DELETE', gone)).status).toBe(404)
    }
    expect(await priceOf(model)).toBe(null)
  })

  test('are whole micro-dollars for a model by its one name', async () => {
    const put = (model: string, other: unknown) => ask('PUT', `${project}/prices`, { model, card: other })
    expect((await put('great', card(5))).pick('model')).toBe('acme/great')
    expect(await put('m', card(5))).toMatchObject({ body: { model: 'ours/m' } })
    expect((await put('unknown', card(5))).status).toBe(404)
    for (const wrong of [
      { input: 1 },
      { input: 0.5, output: 1 },
      { input: -1, output: 1 },
      { ...card(1), other: 1 },
    ])
      expect((await put('acme/great', wrong)).status).toBe(400)
  })
})
