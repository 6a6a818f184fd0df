import { type Context } from '@svc/context'
import { describe, expect, test } from 'vitest'
import {
  authorizeGit,
  closeChangeRequest,
  deleteSession,
  fireTrigger,
  getChangeRequest,
  listSessionEvents,
  mergeChangeRequest,
  promptSession,
  putPersonalSecret,
  reopenChangeRequest,
  requestChanges,
  restartSession,
  startSession,
  updateChangeRequest,
  updateSession,
} from '../../src/index.ts'
import { addMember } from '../../src/testing/people.ts'
import { endOf } from '../support/replica.ts'
import { newSession, runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { look } from '../../src/testing/triggers.ts'
import { manifest, openOwnWork } from '../support/own-work.ts'

/**
 * Things that an agent may not reach by any way round: the default branch without a person, the agent of another
 * session, and power that it was not granted. Sessions of real agents, with the tokens that their sandboxes have.
 */
const { world, project, project_id, agent, open, merge, stopped } = await openOwnWork()
const refused = 'CR_SELF_MERGE_REFUSED'

describe('no session merges its own work by a way round, unless its agent is granted the merge', () => {
  test('with another branch and a session_id that nobody has', async () => {
    const one = await agent('everything')
    await one.push('detour-branch')
    const cr = await open(one.ctx, 'detour-branch', 'nonsense')
    expect(cr.origin_session_id).toBeNull()
    const before = await project.tip('main')
    expect(await merge(one.ctx, cr.cr_id)).toBe(refused)
    expect(await project.tip('main')).toBe(before)
  })

  test('by a session that it started, one that this started, or the one that started it', async () => {
    const parent = await agent('everything')
    const child = await agent('everything', parent.ctx)
    const grandchild = await agent('everything', child.ctx)
    for (const [proposer, others] of [
      [parent, [child, grandchild]],
      [grandchild, [parent, child]],
    ] as const) {
      await proposer.push(proposer.session_id)
      const cr = await open(proposer.ctx, proposer.session_id)
      for (const other of others) expect(await merge(other.ctx, cr.cr_id)).toBe(refused)
    }
  })

  test('by a child when the session that opened it is gone', async () => {
    const parent = await agent('everything')
    const child = await agent('everything', parent.ctx)
    await parent.push('left-behind')
    const cr = await open(parent.ctx, 'left-behind')
    await deleteSession(project.ctx, parent.key)
    const { change_request } = await getChangeRequest(project.ctx, { project_id, cr: cr.cr_id })
    expect(change_request.origin_session_id).toBeNull()
    expect(await merge(child.ctx, cr.cr_id)).toBe(refused)
  })

  test('by a push to the head of somebody else, also after the merge was let through', async () => {
    const one = await agent('everything')
    const theirs = await project.propose('of-a-person')
    await one.push('of-a-person')
    expect(await merge(one.ctx, theirs.cr_id)).toBe(refused)

    const other = await project.propose('of-another-person')
    const asked = endOf(mergeChangeRequest(one.ctx, { project_id, cr: other.cr_id }))
    await expect.poll(() => world.queue.waiting.length).toBeGreaterThan(0)
    await one.push('of-another-person')
    await world.queue.drain()
    expect(await asked).toBe(refused)
  })

  test('by starting an agent that is granted the merge', async () => {
    const starter = await agent('starter')
    const merger = await agent('merger', starter.ctx)
    expect(await merger.row()).toMatchObject({ merge_granted: false })
    await starter.push(starter.session_id)
    const cr = await open(starter.ctx, starter.session_id)
    expect(await merge(merger.ctx, cr.cr_id)).toBe(refused)
  })

  test('what neither it nor its tree has a part in it may merge, and with the grant its own', async () => {
    const one = await agent('everything')
    const theirs = await project.propose('nothing-to-do-with-it')
    expect(await merge(one.ctx, theirs.cr_id)).toBe('done')
    const merger = await agent('merger')
    await merger.push(merger.session_id)
    expect(await merge(merger.ctx, (await open(merger.ctx, merger.session_id)).cr_id)).toBe('done')
  })
})

describe('no caller speaks to an agent by a way round', () => {
  test('a session names only itself as where its change request comes from', async () => {
    const [victim, attacker] = [await agent('default'), await agent('everything')]
    await attacker.push(attacker.session_id)
    expect(await endOf(open(attacker.ctx, attacker.session_id, victim.session_id))).toBe('forbidden')
    const cr = await open(attacker.ctx, attacker.session_id, attacker.session_id)
    expect(cr.origin_session_id).toBe(attacker.session_id)
  })

  test('a person names only a session that they may drive', async () => {
    const victim = await agent('default')
    const member = await addMember(world, project, 'member')
    const ctx = world.as(member.principal)
    await project.commit('of-a-member', { 'm.txt': 'm\n' }, 'Work', { from: 'main' })
    expect(await endOf(open(ctx, 'of-a-member', victim.session_id))).toBe('forbidden')
    const own = await newSession(world, project, {}, ctx)
    expect((await open(ctx, 'of-a-member', own.session_id)).origin_session_id).toBe(own.session_id)
  })

  test.each([
    ['a member', async () => world.as((await addMember(world, project, 'member')).principal)],
    ['another agent', async () => (await agent('everything')).ctx],
  ])('changes that %s requests are recorded, and tell the owner instead of the agent', async (_, caller) => {
    const victim = await agent('default')
    await victim.push(victim.session_id)
    const cr = await open(victim.ctx, victim.session_id)
    await stopped(victim)
    world.daemon.prompts.splice(0)
    const ctx = await caller()
    const asked = await requestChanges(ctx, { project_id, cr: cr.cr_id, feedback: 'INJECTED' })
    expect(asked.delivering).toBe(false)
    const [entry] = asked.change_request.metadata.requested_changes ?? []
    expect(Object.keys(entry ?? {}).sort()).toEqual(['at', 'by', 'text'])
    await world.queue.drain()
    expect((await victim.row()).status).toBe('stopped')
    expect(world.daemon.prompts).toEqual([])
    const { events } = await listSessionEvents(project.ctx, { ...victim.key, after: 0, limit: 500 })
    expect(events.at(-1)).toMatchObject({ type: 'notice', cr_number: cr.number })
    expect(events.at(-1)?.['text']).toContain('INJECTED')
    expect((await requestChanges(project.ctx, { project_id, cr: cr.cr_id, feedback: 'y' })).delivering).toBe(
      true,
    )
    await world.queue.drain()
    expect(world.daemon.prompts.map(({ text }) => text)).toEqual([expect.stringContaining(':\n\ny\n\n')])
  })

  test('an agent prompts, wakes, restarts and changes its own session and those it started, and no other', async () => {
    const parent = await agent('everything')
    const child = await agent('everything', parent.ctx)
    const stranger = await agent('everything')
    const verbs = (ctx: Context, { key }: TestSession) => [
      endOf(promptSession(ctx, { ...key, text: 'hello' })),
      endOf(startSession(ctx, key)),
      endOf(updateSession(ctx, { ...key, name: 'mine' })),
      endOf(restartSession(ctx, key)),
    ]
    for (const other of [stranger, parent])
      expect(await Promise.all(verbs(child.ctx, other))).toEqual(Array(4).fill('forbidden'))
    expect(await Promise.all(verbs(parent.ctx, child))).toEqual(Array(4).fill('done'))
    world.queue.drop()
  })

  test('a trigger that is pinned to a session with personal secrets opens another', async () => {
    await putPersonalSecret(project.ctx, { project_id, name: 'OWN', value: 'x' })
    const victim = await runningSession(world, project, { agent_name: 'everything' })
    expect((await victim.row()).holds_personal_secrets).toBe(true)
    const pinned = `${manifest}  - { slug: pinned, type: cron, cron: '0 0 * * * *', prompt: x, session_mode: pinned, session_id: ${victim.session_id} }\n`
    await project.commit('main', { 'svc.yaml': pinned })
    await look(world, project)
    const fired = await fireTrigger(project.ctx, { project_id, slug: 'pinned' })
    expect(fired).toMatchObject({ status: 'fired' })
    expect(fired).not.toMatchObject({ session_id: victim.session_id })
    world.queue.drop()
  })
})

describe('a session edits, closes and reopens its own change requests alone', () => {
  test('those of another session and of a person stay as they are', async () => {
    const [one, other] = [await agent('everything'), await agent('everything')]
    await one.push(one.session_id)
    const own = await open(one.ctx, one.session_id)
    const persons = await project.propose('a-persons')
    const verbs = (ctx: Context, cr: string) => ({
      edit: () => endOf(updateChangeRequest(ctx, { project_id, cr, title: 'Other' })),
      close: () => endOf(closeChangeRequest(ctx, { project_id, cr })),
      reopen: () => endOf(reopenChangeRequest(ctx, { project_id, cr })),
    })
    for (const [ctx, cr] of [
      [other.ctx, own.cr_id],
      [one.ctx, persons.cr_id],
    ] as const)
      for (const verb of Object.values(verbs(ctx, cr))) expect(await verb()).toBe('forbidden')
    const mine = verbs(one.ctx, own.cr_id)
    expect([await mine.edit(), await mine.close(), await mine.reopen()]).toEqual(['done', 'done', 'done'])
    const child = await agent('everything', one.ctx)
    expect(await verbs(child.ctx, own.cr_id).edit()).toBe('done')
  })
})

test('an edit that changes nothing does not move updated_at', async () => {
  const cr = await project.propose('unmoved')
  world.clock.advance(1_000)
  const key = { project_id, cr: cr.cr_id }
  expect((await updateChangeRequest(project.ctx, key)).updated_at).toEqual(cr.updated_at)
  const { title, description } = cr
  expect((await updateChangeRequest(project.ctx, { ...key, title, description })).updated_at).toEqual(
    cr.updated_at,
  )
  expect((await updateChangeRequest(project.ctx, { ...key, title: 'New' })).updated_at).not.toEqual(
    cr.updated_at,
  )
})

test('whose role moves no branches of others pushes to those of sessions that they may drive', async () => {
  const session = await newSession(world, project)
  const member = world.as((await addMember(world, project, 'member')).principal)
  const own = await newSession(world, project, {}, member)
  const shared = await newSession(world, project, { secrets: [] })
  await updateSession(project.ctx, { ...shared.key, visibility: 'project' })
  const asked = { project_id, service: 'git-receive-pack' } as const
  const { foreign } = await authorizeGit(member, asked)
  const branches = ['feature', session.session_id, own.session_id, shared.session_id]
  expect(await foreign?.(branches)).toEqual([session.session_id])
  await deleteSession(project.ctx, session.key)
  expect(await foreign?.(branches)).toEqual([session.session_id])
  for (const role of ['editor', 'manager'] as const) {
    const above = world.as((await addMember(world, project, role)).principal)
    expect((await authorizeGit(above, asked)).foreign).toBeUndefined()
  }
  world.queue.drop()
})
