import { randomUUID } from 'node:crypto'
import {
  gatewayOffers,
  type GatewayPlace,
  gatewayPrices,
  gatewayProviders,
  gatewaySettings,
  placeColumns,
} from '@svc/db'
import { priceIdOf } from '@svc/models'
import { createSession, fireTrigger, putSecret } from '@svc/services'
import {
  addOwner,
  deliver,
  fireAll,
  ledger,
  makeProject,
  newSession,
  openWorld,
  projectWith,
  runningSession,
  type TestProject,
} from '@svc/services/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { sessionModels } from '../src/index.ts'
import { creditOf, makeBudget } from './support/place.ts'

const world = await openWorld({ session_cap: 500 })
Object.assign(world.base, { session_models: sessionModels(world.base) })
const { db } = world
const operator: GatewayPlace = { scope: 'operator' }

async function provider(place: GatewayPlace, slug: string, models: readonly string[] | null = ['m1', 'm2']) {
  const now = new Date()
  await gatewayProviders.insert(db, {
    ...placeColumns(place),
    ...{ provider_id: randomUUID(), slug, created_by: null, created_at: now, updated_at: now },
    kind: slug === 'svc' ? 'demo' : 'openai',
    base_url: 'https://models.acme.example',
    models: models && JSON.stringify(models),
    deadlines: '{}',
    output_limit_field: 'max_tokens',
    managed_by: slug === 'svc' ? 'environment' : 'api',
  })
}

async function price(model: string, card: { input: number; output: number }, place = operator) {
  await gatewayPrices.set(db, place, { model, price_id: priceIdOf(card), card, updated_at: new Date() })
}

beforeEach(async () => {
  for (const table of [
    'gateway_providers',
    'gateway_settings',
    'gateway_prices',
    'gateway_budgets',
    'project_triggers',
  ] as const)
    await db.deleteFrom(table).execute()
  await provider(operator, 'svc', ['demo'])
  await provider(operator, 'acme')
  await price('acme/m1', { input: 1_000_000, output: 2_000_000 })
  await price('acme/m2', { input: 1_000_000, output: 2_000_000 })
})

const create = ({ ctx, project_id }: TestProject, model?: string) =>
  createSession(ctx, { project_id, respond_async: false, body: model === undefined ? {} : { model } })
const placeOf = ({ project_id, account_id, owner }: TestProject) => ({
  ...{ project_id, account_id },
  user_id: owner.user_id,
})
const count = async (table: 'project_sessions' | 'gateway_calls' | 'gateway_budget_windows') => {
  const { n } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

describe('a session whose model the gateway cannot be paid for is refused before anything starts', () => {
  test('for a full budget with its fields, and nothing of the question is kept', async () => {
    const project = await makeProject(world)
    const budget_id = await makeBudget(db, placeOf(project), { level: 'project', cap_micros: 0 })
    const before = [await count('project_sessions'), await count('gateway_calls')]
    await expect(create(project, 'acme/m1')).rejects.toMatchObject({
      code: 'budget_exceeded',
      details: {
        budget: { budget_id, name: 'project', level: 'project', subject: null, period: 'total' },
        ...{ cap_micros: 0, spent_micros: 0, held_micros: 0, resets_at: null },
      },
    })
    expect([await count('project_sessions'), await count('gateway_calls')]).toEqual(before)
    expect(await count('gateway_budget_windows')).toBe(0)
    // A free model asks no budget, and neither does one of the project's own matter.
    await create(project, 'demo')
    await create(project)
    await create(project, 'elsewhere/x')
    await db.updateTable('gateway_budgets').set({ cap_micros: 1 }).execute()
    await create(project, 'acme/m1')
  })

  test('by the level that it falls under alone', async () => {
    const project = await makeProject(world)
    await makeBudget(db, placeOf(project), { level: 'agent', subject: 'other', cap_micros: 0 })
    await makeBudget(db, placeOf(project), { level: 'trigger', cap_micros: 0 })
    await makeBudget(db, placeOf(project), { level: 'project', cap_micros: 0, mode: 'alert' })
    await create(project, 'acme/m1')
    await makeBudget(db, placeOf(project), { level: 'agent', subject: 'default', cap_micros: 0 })
    await expect(create(project, 'acme/m1')).rejects.toMatchObject({
      details: { budget: { level: 'agent', subject: 'default' } },
    })
  })

  test('for a plan that does not hold the models of the platform, an account without credit, and too little', async () => {
    const free = await makeProject(world, await addOwner(world, 'free'))
    await expect(create(free, 'acme/m1')).rejects.toMatchObject({
      code: 'subscription_required',
      details: { billing_state: 'none', balance: null, account_id: free.account_id },
    })
    await create(free, 'demo')
    await provider({ scope: 'project', project_id: free.project_id }, 'acme')
    await create(free, 'acme/m1')

    const team = await makeProject(world, await addOwner(world, 'team'))
    await expect(create(team, 'acme/m1')).rejects.toMatchObject({ code: 'no_account' })
    await creditOf(db, placeOf(team), 0)
    await expect(create(team, 'acme/m1')).rejects.toMatchObject({
      code: 'insufficient_credits',
      details: { billing_state: 'active', balance: 0 },
    })
    await db.updateTable('credit_accounts').set({ balance_micros: 5 }).execute()
    await create(team, 'acme/m1')
  })

  test('where its project has the gateway, and not otherwise', async () => {
    const project = await makeProject(world)
    await makeBudget(db, placeOf(project), { level: 'project', cap_micros: 0 })
    await db
      .updateTable('project_features')
      .set({ enabled: false })
      .where('project_id', '=', project.project_id)
      .execute()
    await create(project, 'acme/m1')
    expect(await gatewayOffers.ofProject(db, project.project_id)).toBeUndefined()
  })
})

describe('the model of a session', () => {
  const modelOf = async (project: TestProject, model: string) =>
    (await (await runningSession(world, project, { model })).environment())['SVC_AGENTRT_MODEL']

  test('is told by the name of the gateway where that offers it', async () => {
    const project = await makeProject(world)
    expect(await modelOf(project, 'acme/m1')).toBe('svc/acme/m1')
    expect(await modelOf(project, 'demo')).toBe('svc/demo')
    expect(await modelOf(project, 'm2')).toBe('svc/acme/m2')
    expect(await modelOf(project, 'elsewhere/x')).toBe('elsewhere/x')
  })

  test('that a provider of the gateway does not have is 404 with near names, unless the project has a key of its own', async () => {
    const project = await makeProject(world)
    await provider({ scope: 'project', project_id: project.project_id }, 'acme', ['m1', 'sonnet-4'])
    await expect(create(project, 'acme/sonet-4')).rejects.toMatchObject({
      code: 'model_not_found',
      details: { near: expect.arrayContaining(['acme/sonnet-4']) },
    })
    await putSecret(project.ctx, { project_id: project.project_id, name: 'ACME_API_KEY', value: 'key' })
    expect(await modelOf(project, 'acme/m3')).toBe('acme/m3')
    expect(await modelOf(project, 'acme/m1')).toBe('svc/acme/m1')
  })

  test('that a list keeps out is 403, and a key of its own is a way around the list of the operator alone', async () => {
    const project = await makeProject(world)
    const { project_id } = project
    const place = { scope: 'project', project_id } as const
    const refused = (by: string) => ({ code: 'model_not_allowed', details: { by } })
    await gatewaySettings.update(db, place, { models: ['acme/m1'] })
    await create(project, 'acme/m1')
    await expect(create(project, 'acme/m2')).rejects.toMatchObject(refused('project'))
    await gatewaySettings.update(db, place, { models: null, agents: { default: { models: ['acme/m2'] } } })
    await expect(create(project, 'acme/m1')).rejects.toMatchObject(refused('agent'))
    await putSecret(project.ctx, { project_id, name: 'ACME_API_KEY', value: 'key' })
    await expect(create(project, 'acme/m1')).rejects.toMatchObject(refused('agent'))
    await gatewaySettings.update(db, place, { agents: {} })
    await gatewaySettings.update(db, operator, { models: ['svc/*'] })
    expect(await modelOf(project, 'acme/m1')).toBe('acme/m1')
  })

  test('that no one names is the default of the nearest place, and is asked to be paid', async () => {
    const project = await makeProject(world)
    const place = { scope: 'project', project_id: project.project_id } as const
    await makeBudget(db, placeOf(project), { level: 'project', cap_micros: 0 })
    await create(project)
    await gatewaySettings.update(db, place, { default_model: 'acme/m1' })
    await expect(create(project)).rejects.toMatchObject({ code: 'budget_exceeded' })
  })
})

describe('a fire whose model cannot be paid for', () => {
  const tick = `  - { slug: tick, type: cron, cron: '0 0 * * * *', prompt: go, model: acme/m1 }
  - { slug: hook, type: webhook, secret_env: HOOK_SECRET, prompt: go, model: acme/m1 }
`

  test('fails with the code in its ledger, and a caller is told the same as by the gateway', async () => {
    const project = await projectWith(world, tick)
    const { ctx, project_id } = project
    await makeBudget(db, placeOf(project), { level: 'trigger', subject: 'tick', cap_micros: 0 })
    world.clock.advance(3_600_000)
    await fireAll(world)
    await expect(fireTrigger(ctx, { project_id, slug: 'tick' })).rejects.toMatchObject({
      code: 'budget_exceeded',
      details: { budget: { level: 'trigger', subject: 'tick' }, cap_micros: 0 },
    })
    const failed = { status: 'failed', code: 'budget_exceeded', session_id: null }
    expect(await ledger(world, project, 'tick')).toMatchObject([failed, failed])
    expect(await deliver(world, project, {})).toMatchObject({ status: 'fired' })

    await makeBudget(db, placeOf(project), { level: 'project', cap_micros: 0 })
    world.clock.advance(1_000)
    await expect(deliver(world, project, {})).rejects.toMatchObject({ code: 'trigger_fire_failed' })
    expect((await ledger(world, project, 'hook')).at(-1)).toMatchObject(failed)
    await db.deleteFrom('gateway_budgets').execute()
    expect(await fireTrigger(ctx, { project_id, slug: 'tick' })).toMatchObject({ status: 'fired' })
  })

  test('fails as well where it would go on with a session', async () => {
    const project = await projectWith(
      world,
      `  - { slug: tick, type: cron, cron: '0 0 0 1 1 *', prompt: go, session_mode: reuse }\n`,
    )
    const { ctx, project_id } = project
    const place = { scope: 'project', project_id } as const
    const first = await fireTrigger(ctx, { project_id, slug: 'tick' })
    expect(first.status).toBe('fired')
    await gatewaySettings.update(db, place, { default_model: 'acme/m1' })
    const subject = 'session_id' in first ? first.session_id : ''
    await makeBudget(db, placeOf(project), { level: 'session', subject, cap_micros: 0 })
    await expect(fireTrigger(ctx, { project_id, slug: 'tick' })).rejects.toMatchObject({
      code: 'budget_exceeded',
      details: { budget: { level: 'session', subject } },
    })
    expect((await newSession(world, project)).session_id).not.toBe(subject)
  })
})
