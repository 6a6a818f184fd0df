import { authenticate, type Context } from '@svc/context'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  authorizeGit,
  closeChangeRequest,
  createChangeRequest,
  createSession,
  createTrigger,
  deleteSession,
  deleteTrigger,
  fireTrigger,
  getChangeRequest,
  listSessionEvents,
  listTriggers,
  mergeChangeRequest,
  promptSession,
  putPersonalSecret,
  putSecret,
  reopenChangeRequest,
  replayTriggerFire,
  requestChanges,
  restartSession,
  startSession,
  stopSession,
  updateChangeRequest,
  updateSession,
  updateTrigger,
} from '../src/index.ts'
import { addMember } from '../src/testing/people.ts'
import { makeProject, type TestProject } from '../src/testing/projects.ts'
import { endOf } from './support/replica.ts'
import { newSession, runningSession, type TestSession } from '../src/testing/sessions.ts'
import { fireAll, ledger, look } from '../src/testing/triggers.ts'
import { openWorld } from '../src/testing/world.ts'

/**
 * Things that an agent may not reach by any way round: the default branch without a person, the agent of another
 * session, and power that it was not granted. Sessions of real agents, with the tokens that their sandboxes have.
 */
const world = await openWorld()

const manifest = `svc_version: 2
default_agent: default
agents:
  default: {}
  everything: { svc_cli: all, secrets: all, connectors: all }
  merger: { svc_cli: [project.read, project.session.start, project.gitops.push, project.gitops.merge] }
  starter: { svc_cli: [project.read, project.session.read, project.session.start, project.gitops.push] }
  needy: { svc_cli: all, connectors: [docs], connectors_required: [docs] }
  trigs:
    svc_cli: [project.read, project.trigger.read, project.trigger.create, project.trigger.update,
      project.trigger.delete, project.trigger.fire]
connectors:
  - { slug: docs, provider: http, base_url: https://docs.example.test }
env: { optional: [A_SECRET] }
triggers:
  - { slug: alone, type: cron, cron: '0 0 * * * *', prompt: 'x {{ message.text }}', agent: everything }
  - { slug: again, type: cron, cron: '0 0 * * * *', prompt: 'x {{ message.text }}', agent: everything, session_mode: reuse }
`
let project: TestProject
let project_id: string

beforeAll(async () => {
  project = await makeProject(world)
  project_id = project.project_id
  await putSecret(project.ctx, { project_id, name: 'A_SECRET', value: 'v' })
  await project.commit('main', { 'svc.yaml': manifest }, 'Declare agents')
  await look(world, project)
})

interface Agent extends TestSession {
  readonly ctx: Context
  /** A commit on a branch, made as a push of this agent is. */
  push(branch: string): Promise<void>
}

let files = 0

async function agent(agent_name: string, by = project.ctx): Promise<Agent> {
  const session = await newSession(world, project, { agent_name }, by)
  await world.queue.drain()
  const { SVC_CLI_TOKEN = '' } = await session.environment()
  const ctx = world.as(await authenticate(world.base, SVC_CLI_TOKEN))
  const push = async (branch: string) => {
    const { foreign } = await authorizeGit(ctx, { project_id, service: 'git-receive-pack' })
    expect((await foreign?.([branch])) ?? []).not.toContain(branch)
    await project.commit(branch, { [`file-${(files += 1)}.txt`]: 'x\n' }, 'Work', { from: 'main' })
  }
  return { ...session, ctx, push }
}

const open = (ctx: Context, head_ref: string, session_id?: string) =>
  createChangeRequest(ctx, { project_id, title: 'Work', head_ref, session_id })
const merge = async (ctx: Context, cr: string) => {
  world.queue.live = true
  const end = await endOf(mergeChangeRequest(ctx, { project_id, cr }))
  await world.queue.settled()
  world.queue.live = false
  return end
}
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

const stopped = async ({ key }: TestSession) => {
  world.queue.live = true
  await stopSession(project.ctx, key)
  await world.queue.settled()
  world.queue.live = false
}

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
