import { randomUUID } from 'node:crypto'
import { features, gatewayProviders, placeColumns } from '@svc/db'
import { beforeAll, expect, test } from 'vitest'
import { createSession } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, ctx } = project
const [near, far] = [randomUUID(), randomUUID()]

beforeAll(async () => {
  await provider({ scope: 'project', project_id }, 'acme', near)
  await provider({ scope: 'operator' }, 'acme', randomUUID())
  await provider({ scope: 'operator' }, 'other', far)
  await gateway(true)
})

async function provider(place: Parameters<typeof placeColumns>[0], slug: string, key_id: string) {
  const [provider_id, now] = [randomUUID(), new Date()]
  await gatewayProviders.insert(world.db, {
    ...placeColumns(place),
    ...{
      provider_id,
      slug,
      kind: 'openai',
      base_url: 'https://models.acme.example',
      models: null,
      deadlines: '{}',
    },
    ...{
      output_limit_field: 'max_tokens',
      managed_by: 'api',
      created_by: null,
      created_at: now,
      updated_at: now,
    },
  })
  const key = { key_id, provider_id, name: 'x', sealed: 'x', variable: null, hint: '', created_at: now }
  await gatewayProviders.insertKey(world.db, key)
}

const gateway = (enabled: boolean) =>
  features.set(world.db, {
    ...{
      project_id,
      feature: 'model_gateway',
      enabled,
      updated_by: project.owner.user_id,
      updated_at: new Date(),
    },
  })

const create = (provider_secret_pools: Record<string, unknown>, settings = ctx.settings) =>
  createSession({ ...ctx, settings }, { project_id, respond_async: false, body: { provider_secret_pools } })

test('a session keeps the only keys that its calls may use', async () => {
  const pools = { acme: [near], other: [far] }
  const created = await create(pools)
  const { requested } = await world.db
    .selectFrom('project_sessions')
    .select('requested')
    .where('session_id', '=', created.kind === 'created' ? created.session.session_id : '')
    .executeTakeFirstOrThrow()
  expect(requested.provider_secret_pools).toEqual(pools)
})

test.each([
  ['a slug that is not there', { nope: [near] }, 'provider_secret_pools.nope'],
  ['a key of another provider', { acme: [far] }, 'provider_secret_pools.acme'],
  ['a key that is not there', { acme: [near, randomUUID()] }, 'provider_secret_pools.acme'],
  ['no key', { acme: [] }, 'provider_secret_pools.acme'],
  ['eleven keys', { acme: Array.from({ length: 11 }, () => near) }, 'provider_secret_pools.acme'],
  ['what is no id', { acme: ['A'] }, 'provider_secret_pools.acme[0]'],
])('%s is 400', async (_, pools, path) => {
  await expect(create(pools)).rejects.toMatchObject({
    code: 'invalid_request',
    details: { issues: [expect.objectContaining({ path })] },
  })
})

test('where the session would have no gateway it is 409', async () => {
  const refused = { code: 'conflict' }
  await expect(create({ acme: [near] }, { ...ctx.settings, llm_base_url: null })).rejects.toMatchObject(
    refused,
  )
  await gateway(false)
  await expect(create({ acme: [near] })).rejects.toMatchObject(refused)
  expect(await create({})).toMatchObject({ kind: 'created' })
  await gateway(true)
})
