import { newTrail, recordAudit } from '@svc/context'
import { describe, expect, test } from 'vitest'
import { createTrigger, deleteSecret, mergeChangeRequest, putSecret } from '../../src/index.ts'
import { makeProject, openWorld } from '../../src/testing/index.ts'
import { eventsOf } from '../support/audit-events.ts'

const world = await openWorld()
const events = eventsOf(world)

test('a mutation and its event are written together, or neither is', async () => {
  const { ctx, account_id, project_id, owner } = await makeProject(world)
  const trail = newTrail('request-1', '192.0.2.1')
  const asked = { ...ctx, trail }
  await putSecret(asked, { project_id, name: 'KEY', value: 'the secret value' })
  expect((await events(account_id)).at(-1)).toMatchObject({
    action: 'putSecret',
    target: `projects/${project_id}/secrets/KEY`,
    actor_type: 'user',
    actor_id: owner.user_id,
    project_id,
    outcome: 'success',
    request_id: 'request-1',
    ip: '192.0.2.1',
  })
  const before = (await events(account_id)).length
  await expect(deleteSecret(ctx, { project_id, name: 'OTHER' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(
    world.db.transaction().execute(async (tx) => {
      await recordAudit(ctx, tx, { account_id, action: 'x', target: 'x' })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await events(account_id)).toHaveLength(before)
})

describe('what a worker does', () => {
  test('stands in the log once it is done or refused, in the name of whoever asked', async () => {
    world.queue.live = true
    const { ctx, account_id, project_id, owner, propose, commit } = await makeProject(world)
    const asked = { ...ctx, trail: newTrail('request-9', '192.0.2.9') }
    const { cr_id } = await propose('topic')
    await mergeChangeRequest(asked, { project_id, cr: cr_id })
    const common = { actor_type: 'user', actor_id: owner.user_id, request_id: 'request-9', ip: '192.0.2.9' }
    const target = `projects/${project_id}/change-requests/${cr_id}`
    expect((await events(account_id)).at(-1)).toMatchObject({
      ...common,
      action: 'mergeChangeRequest',
      target,
      outcome: 'success',
    })

    const other = await propose('right', { 'README.md': 'right' })
    await commit('main', { 'README.md': 'main' })
    await expect(mergeChangeRequest(asked, { project_id, cr: other.cr_id })).rejects.toThrow()
    expect((await events(account_id)).at(-1)).toMatchObject({
      ...common,
      action: 'mergeChangeRequest',
      outcome: 'failed',
      details: { code: 'MERGE_CONFLICT' },
    })

    const slug = 'nightly'
    const trigger = { slug, type: 'cron', cron: '0 0 3 * * *', prompt_template: 'x' } as const
    await createTrigger(asked, { project_id, trigger })
    await expect(createTrigger(asked, { project_id, trigger })).rejects.toMatchObject({ code: 'conflict' })
    const edits = { ...common, action: 'createTrigger', target: `projects/${project_id}/triggers/${slug}` }
    expect((await events(account_id)).slice(-2)).toMatchObject([
      { ...edits, outcome: 'success', details: { changed: true } },
      { ...edits, outcome: 'failed', details: { code: 'conflict' } },
    ])
  })
})
