import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteSecret, listSecrets, putSecret } from '../../src/index.ts'
import { addMember } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { endOf } from '../support/replica.ts'
import { runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()

test('values go in and never come out, but into a sandbox', async () => {
  const project = await makeProject(world)
  const { project_id, ctx } = project
  const value = 'völlig geheim 🔑 '.repeat(10)
  const put = await putSecret(ctx, { project_id, name: 'KEY', value })
  expect(put).toEqual({
    name: 'KEY',
    created_by: project.owner.user_id,
    created_at: world.clock.now(),
    updated_at: world.clock.now(),
    configured: true,
  })
  const created_at = world.clock.now()
  world.clock.advance(1000)
  expect(await putSecret(ctx, { project_id, name: 'KEY', value: `${value}2` })).toMatchObject({
    created_at,
    updated_at: world.clock.now(),
  })
  await putSecret(ctx, { project_id, name: 'empty', value: '' })
  const listed = await listSecrets(ctx, { project_id })
  expect(listed.items.map((item) => item.name)).toEqual(['KEY', 'empty'])
  const { rows } = await sql<{ dump: string }>`select s::text as dump from project_secrets s
    union all select p::text from projects p`.execute(world.db)
  expect(JSON.stringify([listed, put, rows])).not.toContain('geheim')
  expect(await (await runningSession(world, project)).environment()).toMatchObject({
    KEY: `${value}2`,
    empty: '',
  })
  await deleteSecret(ctx, { project_id, name: 'KEY' })
  await expect(deleteSecret(ctx, { project_id, name: 'KEY' })).rejects.toMatchObject({ code: 'not_found' })
})

test('a value that was moved to another name or project does not open', async () => {
  const [one, other] = [await makeProject(world), await makeProject(world)]
  await putSecret(one.ctx, { project_id: one.project_id, name: 'A', value: 'a' })
  await putSecret(one.ctx, { project_id: one.project_id, name: 'B', value: 'b' })
  await sql`update project_secrets set sealed_value = (select sealed_value from project_secrets where name = 'A' and project_id = ${one.project_id})
    where name = 'B'`.execute(world.db)
  await expect(runningSession(world, one)).rejects.toThrow()
  await putSecret(other.ctx, { project_id: other.project_id, name: 'A', value: 'x' })
  await sql`update project_secrets set sealed_value = (select sealed_value from project_secrets where name = 'A' and project_id = ${one.project_id})
    where project_id = ${other.project_id}`.execute(world.db)
  await expect(runningSession(world, other)).rejects.toThrow()
})

test.each([
  ['SVC_TOKEN', 'SECRET_NAME_RESERVED'],
  ['SVC_', 'SECRET_NAME_RESERVED'],
  ['1A', 'invalid_request'],
  ['A-B', 'invalid_request'],
  ['', 'invalid_request'],
  ['A\n', 'invalid_request'],
  ['A'.repeat(65), 'invalid_request'],
])('%j is %s', async (name, code) => {
  const { project_id, ctx } = await makeProject(world)
  await expect(putSecret(ctx, { project_id, name, value: 'x' })).rejects.toMatchObject({ code })
})

test('a value has 64 KiB at the most', async () => {
  const { project_id, ctx } = await makeProject(world)
  await putSecret(ctx, { project_id, name: 'BIG', value: 'x'.repeat(65_536) })
  await expect(putSecret(ctx, { project_id, name: 'BIG', value: 'ü'.repeat(32_769) })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

test('a hundred writes an hour, however they come', async () => {
  const { project_id, ctx } = await makeProject(world)
  const write = (index: number) => endOf(putSecret(ctx, { project_id, name: `S${index % 7}`, value: 'x' }))
  const ends = await Promise.all(Array.from({ length: 105 }, (_, index) => write(index)))
  expect(ends.filter((end) => end === 'done')).toHaveLength(100)
  await expect(putSecret(ctx, { project_id, name: 'A', value: 'x' })).rejects.toMatchObject({
    code: 'project_secret_write_limit',
    details: { retry_after: 3600, rate_limit: { limit: 100, remaining: 0, reset: 3600 } },
  })
  await expect(deleteSecret(ctx, { project_id, name: 'S1' })).rejects.toMatchObject({
    code: 'project_secret_write_limit',
  })
  world.clock.advance(3_600_001)
  expect(await write(1)).toBe('done')
})

test('who is over the limit is told when there is room for one more, and then there is', async () => {
  const { project_id, ctx } = await makeProject(world)
  const write = () => endOf(putSecret(ctx, { project_id, name: 'A', value: 'x' }))
  for (let n = 0; n < 100; n++) {
    expect(await write()).toBe('done')
    world.clock.advance(n === 0 ? 1_200_000 : 100)
  }
  const refused = await putSecret(ctx, { project_id, name: 'A', value: 'x' }).catch((error: unknown) => error)
  const { retry_after } = Object(Object(refused).details)
  expect(retry_after).toBe(2391)
  world.clock.advance(retry_after * 1000 - 1000)
  expect(await write()).not.toBe('done')
  world.clock.advance(1000)
  expect(await write()).toBe('done')
  expect(await write()).not.toBe('done')
})

test('the manifest on the default branch says what is asked for', async () => {
  const project = await makeProject(world)
  const { project_id, ctx } = project
  await project.commit('main', {
    'svc.yaml':
      'svc_version: 2\ndefault_agent: a\nagents: { a: {} }\nenv: { required: [NEEDED, KEY], optional: [MAYBE] }\n',
  })
  await putSecret(ctx, { project_id, name: 'KEY', value: 'x' })
  expect(await listSecrets(ctx, { project_id })).toMatchObject({
    required: ['NEEDED', 'KEY'],
    optional: ['MAYBE'],
    missing: ['NEEDED'],
  })
  await world.base.repositories.removeManaged(project_id)
  expect(await listSecrets(ctx, { project_id })).toMatchObject({
    items: [{ name: 'KEY' }],
    required: [],
    missing: [],
  })
})

test('who may read names and write values', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const as = async (role: 'viewer' | 'member' | 'editor') =>
    world.as((await addMember(world, project, role)).principal)
  await expect(listSecrets(await as('viewer'), { project_id })).rejects.toMatchObject({ code: 'forbidden' })
  expect((await listSecrets(await as('member'), { project_id })).items).toEqual([])
  await expect(putSecret(await as('member'), { project_id, name: 'A', value: 'x' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect((await putSecret(await as('editor'), { project_id, name: 'A', value: 'x' })).name).toBe('A')
})
