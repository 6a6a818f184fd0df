import { authenticate, type Context } from '@svc/context'
import { describe, expect, test } from 'vitest'
import {
  createSession,
  createTrigger,
  deleteTrigger,
  fireTrigger,
  listTriggers,
  replayTriggerFire,
  updateTrigger,
} from '../../src/index.ts'
import { endOf } from '../support/replica.ts'
import { fireAll, ledger, look } from '../../src/testing/triggers.ts'
import { openOwnWork } from '../support/own-work.ts'

/**
 * Things that an agent may not reach by any way round: the default branch without a person, the agent of another
 * session, and power that it was not granted. Sessions of real agents, with the tokens that their sandboxes have.
 */
const { world, project, project_id, agent, merge } = await openOwnWork()
const refused = 'CR_SELF_MERGE_REFUSED'

describe('no session has more power than the one that started it', () => {
  test('a child has the intersection of both grants, secrets and connectors', async () => {
    const starter = await agent('starter')
    const child = await agent('everything', starter.ctx)
    expect(await child.row()).toMatchObject({
      parent_session_id: starter.session_id,
      ancestor_session_ids: [starter.session_id],
      agent_grant: (await starter.row()).agent_grant,
      requested: { secrets: [] },
    })
    expect((await child.row()).requested.connectors).toBeUndefined()
    expect(await child.environment()).not.toHaveProperty('A_SECRET')
    const everything = await agent('everything')
    const same = await agent('everything', everything.ctx)
    expect((await same.row()).agent_grant).toEqual((await everything.row()).agent_grant)
    expect(await same.environment()).toHaveProperty('A_SECRET', 'v')
  })

  test('an agent that needs a connector which its starter may not use is refused', async () => {
    const starter = await agent('starter')
    const body = { agent_name: 'needy' }
    const start = (ctx: Context) => endOf(createSession(ctx, { project_id, respond_async: false, body }))
    expect(await start(starter.ctx)).toBe('connector_not_connected')
    expect(await start((await agent('everything')).ctx)).toBe('done')
    world.queue.drop()
  })

  test('what its agent fires has no more power than it, and goes on with no session that it may not speak to', async () => {
    const person = await fireTrigger(project.ctx, { project_id, slug: 'again' })
    const trigs = await agent('trigs')
    const fired = await fireTrigger(trigs.ctx, { project_id, slug: 'again', text: 'hello' })
    if (person.status !== 'fired' || fired.status !== 'fired') throw new Error('not fired')
    const schedule = await fireTrigger(project.ctx, { project_id, slug: 'again' })
    expect(schedule).toEqual(person)
    expect(fired.session_id).not.toBe(person.session_id)
    const row = await world.db
      .selectFrom('project_sessions')
      .selectAll()
      .where('session_id', '=', fired.session_id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      agent_name: 'everything',
      agent_grant: (await trigs.row()).agent_grant,
      parent_session_id: trigs.session_id,
      requested: { secrets: [] },
    })
    expect(await fireTrigger(trigs.ctx, { project_id, slug: 'again' })).toMatchObject({
      session_id: fired.session_id,
    })
    const [first] = await ledger(world, project, 'again')
    const again = { project_id, slug: 'again', fire_id: first?.fire_id ?? '' }
    expect(await replayTriggerFire(trigs.ctx, again)).not.toMatchObject({ session_id: person.session_id })
    // Kept with the fire: one that a scheduler takes up later is the same agent's fire.
    const fires = await ledger(world, project, 'again')
    const its = fires.filter(({ actor_session_id }) => actor_session_id === trigs.session_id)
    expect(its.map(({ status }) => status)).toEqual(['fired', 'fired', 'fired'])
    world.queue.drop()
  })

  test('a schedule has what the default branch grants its agent', async () => {
    world.clock.advance(3_600_000)
    await fireAll(world)
    const fires = await ledger(world, project, 'alone')
    const { session_id = null } = fires.at(-1) ?? {}
    const row = await world.db
      .selectFrom('project_sessions')
      .selectAll()
      .where('session_id', '=', session_id ?? '')
      .executeTakeFirstOrThrow()
    expect(row.agent_grant).toEqual((await (await agent('everything')).row()).agent_grant)
    expect(row.parent_session_id).toBeNull()
    world.queue.drop()
  })

  test('its edits of triggers are change requests, which it may not merge', async () => {
    const trigs = await agent('trigs')
    const { ctx } = trigs
    const before = await project.tip('main')
    const trigger = {
      slug: 'sly',
      type: 'cron',
      cron: '0 0 * * * *',
      prompt: 'x',
      agent: 'everything',
    } as const
    const added = await createTrigger(ctx, { project_id, trigger })
    const changed = await updateTrigger(ctx, { project_id, slug: 'alone', changes: { enabled: false } })
    const removed = await deleteTrigger(ctx, { project_id, slug: 'again' })
    expect([added, changed, removed]).toMatchObject([
      { status: 'proposed', change_request: { title: 'Add the trigger sly', status: 'open' } },
      { status: 'proposed', change_request: { title: 'Change the trigger alone' } },
      { status: 'proposed', change_request: { title: 'Remove the trigger again' } },
    ])
    expect(await project.tip('main')).toBe(before)
    const head = 'change_request' in added ? added.change_request : null
    expect(head).toMatchObject({ origin_session_id: trigs.session_id, base_ref: 'main' })
    expect(await project.git('show', `${head?.head_ref ?? ''}:svc.yaml`)).toContain('slug: sly')
    const child = await agent('everything')
    await world.db
      .updateTable('project_sessions')
      .set({ ancestor_session_ids: [trigs.session_id] })
      .where('session_id', '=', child.session_id)
      .execute()
    const { SVC_CLI_TOKEN = '' } = await child.environment()
    const kin = world.as(await authenticate(world.base, SVC_CLI_TOKEN))
    expect(await merge(kin, head?.cr_id ?? '')).toBe(refused)
    expect(await merge(project.ctx, head?.cr_id ?? '')).toBe('done')
    await look(world, project)
    const { triggers } = await listTriggers(project.ctx, { project_id })
    expect(triggers.map(({ slug }) => slug)).toContain('sly')
    expect(await updateTrigger(ctx, { project_id, slug: 'sly', changes: { prompt: 'x' } })).toMatchObject({
      slug: 'sly',
    })
  })
})
