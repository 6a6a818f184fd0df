import { createHash, randomUUID } from 'node:crypto'
import { canonicalJson } from '@svc/facts'
import { sql } from 'kysely'
import { features, gatewayProviders, placeColumns } from '@svc/db'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSession, deleteSession, type getSession, putSecret } from '../../src/index.ts'
import { addMember } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, ctx } = project
type Session = Awaited<ReturnType<typeof getSession>>
type Body = Parameters<typeof createSession>[1]['body']
const create = async (body: Body = {}, idempotency_key?: string): Promise<Session> => {
  const created = await createSession(ctx, { project_id, respond_async: false, idempotency_key, body })
  if (created.kind !== 'created') throw new Error(created.reason)
  return created.session
}

/** Keys of a model provider, in a project that has the gateway. */
async function giveKeys(...key_ids: readonly string[]): Promise<void> {
  const [provider_id, now] = [randomUUID(), new Date()]
  await features.set(world.db, {
    ...{
      project_id,
      feature: 'model_gateway',
      enabled: true,
      updated_by: project.owner.user_id,
      updated_at: now,
    },
  })
  await gatewayProviders.insert(world.db, {
    ...placeColumns({ scope: 'project', project_id }),
    ...{ provider_id, slug: 'anthropic', kind: 'anthropic', base_url: 'https://models.acme.example' },
    ...{ models: null, deadlines: '{}', output_limit_field: 'max_tokens', managed_by: 'api' },
    ...{ created_by: null, created_at: now, updated_at: now },
  })
  for (const key_id of key_ids) {
    const key = { key_id, provider_id, name: key_id, sealed: 'x', variable: null, hint: '', created_at: now }
    await gatewayProviders.insertKey(world.db, key)
  }
}

describe('Idempotency-Key', () => {
  test('the same request answers with the same session', async () => {
    const key = `key:${randomUUID()}`
    const first = await create({ initial_prompt: 'x', labels: ['a'] }, key)
    const again = await create({ labels: ['a'], initial_prompt: 'x' }, key)
    expect(again.session_id).toBe(first.session_id)
  })

  test('twenty at once make one session, and one event', async () => {
    const key = randomUUID()
    const ids = await Promise.all(Array.from({ length: 20 }, () => create({ initial_prompt: 'x' }, key)))
    const [session_id = ''] = new Set(ids.map((session) => session.session_id))
    expect(ids.map((session) => session.session_id)).toEqual(ids.map(() => session_id))
    const { length } = await world.db
      .selectFrom('audit_events')
      .select('seq')
      .where('session_id', '=', session_id)
      .execute()
    expect(length).toBe(1)
  })

  test.each(['', 'a b', 'ü', 'x'.repeat(256), 'a\n'])('%j is no key', async (key) => {
    await expect(create({}, key)).rejects.toMatchObject({ code: 'INVALID_IDEMPOTENCY_KEY' })
  })

  const [keyA, keyB] = [randomUUID(), randomUUID()]
  beforeAll(() => giveKeys(keyA, keyB))

  const first: Body = {
    initial_prompt: 'x',
    connector_bindings: {},
    secrets: ['A', 'B'],
    runtime_context: { ticket: 'T-1' },
    provider_secret_pools: { anthropic: [keyA] },
  }

  test.each<[string, Body, string, string[]?]>([
    ['initial_prompt', { initial_prompt: 'y' }, 'IDEMPOTENCY_KEY_CONFLICT'],
    ['labels', { labels: ['more'] }, 'IDEMPOTENCY_KEY_CONFLICT'],
    [
      'connector_bindings',
      { connector_bindings: { crm: { connection_id: 'c' } } },
      'IDEMPOTENCY_CONNECTOR_BINDINGS_CONFLICT',
    ],
    ['secrets', { secrets: ['A'] }, 'IDEMPOTENCY_SECRETS_CONFLICT'],
    ['no list of secrets', { secrets: undefined }, 'IDEMPOTENCY_SECRETS_CONFLICT'],
    ['runtime_context', { runtime_context: { ticket: 'T-2' } }, 'IDEMPOTENCY_RUNTIME_CONTEXT_CONFLICT'],
    [
      'provider_secret_pools',
      { provider_secret_pools: { anthropic: [keyB] } },
      'IDEMPOTENCY_PROVIDER_SECRET_POOLS_CONFLICT',
    ],
    [
      'two of them',
      { secrets: [], runtime_context: {} },
      'IDEMPOTENCY_SECRETS_CONFLICT',
      ['secrets', 'runtime_context'],
    ],
    ['one of them and more', { secrets: [], name: 'other' }, 'IDEMPOTENCY_KEY_CONFLICT'],
  ])('a key with different %s conflicts, and makes nothing', async (_, difference, code, fields) => {
    for (const name of ['A', 'B']) await putSecret(ctx, { project_id, name, value: 'x' })
    const key = randomUUID()
    const { session_id } = await create(first, key)
    await expect(create({ ...first, ...difference }, key)).rejects.toMatchObject({
      code,
      details: fields === undefined ? {} : { fields },
    })
    const reordered = { ...first, secrets: ['B', 'A'] }
    expect((await create(reordered, key)).session_id).toBe(session_id)
  })

  test('another project, account or person of the project conflicts, and is told nothing', async () => {
    const key = randomUUID()
    const mine = await create(first, key)
    const colleague = world.as((await addMember(world, project, 'manager')).principal)
    const second = await makeProject(world, project.owner)
    const foreign = await makeProject(world)
    for (const [who, where] of [
      [colleague, project_id],
      [second.ctx, second.project_id],
      [foreign.ctx, foreign.project_id],
    ] as const) {
      const asked = { project_id: where, respond_async: false, idempotency_key: key, body: {} }
      const same = { ...asked, body: { ...first, secrets: [] } }
      for (const input of [asked, same]) {
        const refusal: unknown = await createSession(who, input).catch((error: unknown) => error)
        expect(refusal).toMatchObject({ code: 'IDEMPOTENCY_KEY_CONFLICT', details: {} })
        expect(JSON.stringify(refusal)).not.toContain(mine.session_id)
      }
    }
    await deleteSession(ctx, { project_id, session_id: mine.session_id })
    const asked = { project_id: foreign.project_id, respond_async: false, idempotency_key: key, body: {} }
    await expect(createSession(foreign.ctx, asked)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_CONFLICT',
    })
  })

  test('a key from before its fields had hashes still answers its own request alone', async () => {
    const key = randomUUID()
    const { session_id } = await create({ initial_prompt: 'x', secrets: [] }, key)
    const body = { initial_prompt: 'x', secrets: [] }
    const request_hash = createHash('sha256').update(canonicalJson(body)).digest('hex')
    await world.db
      .updateTable('session_idempotency_keys')
      .set({ request_hash, created_by: null })
      .set(sql`field_hashes`, null)
      .where('idempotency_key', '=', key)
      .execute()
    expect((await create(body, key)).session_id).toBe(session_id)
    await expect(create({ initial_prompt: 'x' }, key)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_CONFLICT',
    })
  })

  test('the key of a deleted session is used up', async () => {
    const key = randomUUID()
    const { session_id } = await create({}, key)
    await deleteSession(ctx, { project_id, session_id })
    await expect(create({}, key)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_SESSION_DELETED' })
  })

  test('a request that was refused leaves its key free', async () => {
    const key = randomUUID()
    await expect(create({ session_id: (await create()).session_id }, key)).rejects.toMatchObject({
      code: 'SESSION_ID_TAKEN',
    })
    expect((await create({}, key)).status).toBe('provisioning')
  })
})
