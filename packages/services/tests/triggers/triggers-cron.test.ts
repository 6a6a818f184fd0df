import { projects, sessions, triggerCatalogues, triggers } from '@svc/db'
import { beforeEach, expect, test } from 'vitest'
import {
  archiveProject,
  fireNextDue,
  listTriggers,
  noteDefaultBranch,
  refreshCatalogue,
  setTriggerActivation,
} from '../../src/index.ts'
import { declare, fireAll, ledger, look, projectWith, promptsOf } from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 500 })
const hour = 3_600_000
// Ten past, with nothing left to fire of the test before.
beforeEach(async () => {
  await world.db.deleteFrom('project_triggers').execute()
  const now = world.clock.now().getTime()
  world.clock.advance(hour - (now % hour) + 600_000)
})
const cron = (slug: string, more = '', expression = '0 0 * * * *') =>
  `  - { slug: ${slug}, type: cron, cron: '${expression}', prompt: 'hello {{ trigger.slug }}'${more} }\n`
const statuses = (rows: readonly { status: string }[]) => rows.map((row) => row.status)
const projectRow = async (project_id: string) => {
  const found = await projects.find(world.db, project_id)
  if (!found) throw new Error('There is no such project')
  return found
}
const row = async (project_id: string, slug: string) => {
  const found = await triggers.find(world.db, { project_id, slug })
  if (!found) throw new Error(`There is no ${slug}`)
  return found
}

test('a slot that has come opens a session, once', async () => {
  const project = await projectWith(world, cron('tick'))
  const next = (await row(project.project_id, 'tick')).next_fire_at
  await fireAll(world)
  expect(await ledger(world, project, 'tick')).toEqual([])
  world.clock.advance(hour)
  world.queue.drop()
  await fireAll(world)
  await fireAll(world)
  const [fire, ...others] = await ledger(world, project, 'tick')
  expect(others).toEqual([])
  expect(fire).toMatchObject({
    status: 'fired',
    type: 'cron',
    scheduled_at: next,
    occurrence: next?.toISOString(),
  })
  const session_id = fire?.session_id ?? ''
  expect(await sessions.findById(world.db, session_id)).toMatchObject({
    status: 'provisioning',
    origin: 'trigger',
    origin_ref: 'tick',
    base_ref: 'main',
    name: 'tick',
    model: null,
    created_by: project.owner.user_id,
    agent_grant: ['project.read', 'project.gitops.read'],
  })
  expect(await promptsOf(world, project)).toEqual(['hello tick'])
  expect(world.queue.drop()).toEqual([{ name: 'sandbox.provision', id: session_id }])
  expect(await row(project.project_id, 'tick')).toMatchObject({
    last_status: 'fired',
    last_error: null,
    last_fired_at: world.clock.now(),
    next_fire_at: new Date((next?.getTime() ?? 0) + hour),
  })
})

test('of the slots that nobody saw one fires, the others are in the ledger as missed', async () => {
  const project = await projectWith(world, cron('late'))
  world.clock.advance(5 * hour)
  await fireAll(world)
  expect(statuses(await ledger(world, project, 'late')).sort()).toEqual(['fired', ...Array(4).fill('missed')])
  world.clock.advance(3 * hour + hour / 2)
  await fireAll(world, 60_000)
  expect(statuses(await ledger(world, project, 'late')).filter((status) => status === 'missed')).toHaveLength(
    7,
  )
})

test('a one-off run fires once and stays dormant, wherever its entry goes', async () => {
  const at = new Date(world.clock.now().getTime() + hour).toISOString()
  const once = `  - { slug: once, type: cron, run_at: '${at}', prompt: go }\n`
  const project = await projectWith(world, once)
  world.clock.advance(2 * hour - 1)
  await fireAll(world)
  expect(statuses(await ledger(world, project, 'once'))).toEqual(['fired'])
  await declare(world, project, cron('other'))
  await declare(world, project, once)
  await fireAll(world)
  expect(statuses(await ledger(world, project, 'once'))).toEqual(['fired'])
  expect((await row(project.project_id, 'once')).next_fire_at).toBeNull()
})

test('a one-off instant long gone when it is declared was missed', async () => {
  const project = await projectWith(
    world,
    `  - { slug: past, type: cron, run_at: '2020-01-01T00:00:00Z', prompt: go }\n`,
  )
  await fireAll(world)
  expect(statuses(await ledger(world, project, 'past'))).toEqual(['missed'])
})

test('an edit elsewhere keeps the slot; another schedule, another slot', async () => {
  const project = await projectWith(world, cron('a') + cron('b'))
  const before = await row(project.project_id, 'a')
  world.clock.advance(hour / 2)
  await declare(world, project, cron('a', ', name: Renamed') + cron('b', '', '0 30 * * * *'))
  expect((await row(project.project_id, 'a')).next_fire_at).toEqual(before.next_fire_at)
  expect((await row(project.project_id, 'b')).next_fire_at).not.toEqual(before.next_fire_at)
  await declare(world, project, cron('b'))
  expect(await triggers.find(world.db, { project_id: project.project_id, slug: 'a' })).toBeUndefined()
})

test('an unchanged manifest is not read again', async () => {
  const project = await projectWith(world, cron('same'))
  await world.db.updateTable('project_triggers').set({ position: 77 }).where('slug', '=', 'same').execute()
  await project.commit('main', { 'other.txt': 'x' }, 'Something else')
  await look(world, project)
  expect((await row(project.project_id, 'same')).position).toBe(77)
  await project.commit('main', { 'svc.yaml': 'nonsense: [' }, 'Break it')
  const broken = await listTriggers(project.ctx, project)
  expect(broken.triggers).toEqual([])
  expect(broken.errors.length).toBeGreaterThan(0)
})

test('a change that is told of during a look is looked at next', async () => {
  const project = await projectWith(world, cron('first'))
  const { repositories } = world.base
  const dueNow = async () => {
    const catalogue = await triggerCatalogues.find(world.db, project.project_id)
    return catalogue !== undefined && catalogue.check_at <= world.clock.now()
  }
  await refreshCatalogue(world.worker(), await projectRow(project.project_id))
  expect(await dueNow()).toBe(false)
  const counting = new Proxy(repositories, {
    get: (target, key) =>
      key === 'open'
        ? async (...args: Parameters<typeof repositories.open>) => {
            await noteDefaultBranch(world.base, project)
            return target.open(...args)
          }
        : Reflect.get(target, key),
  })
  await refreshCatalogue(world.worker({ repositories: counting }), await projectRow(project.project_id))
  expect(await dueNow()).toBe(true)
})

test('invalid entries are listed beside the valid ones, and svc.toml is read', async () => {
  const project = await projectWith(world, cron('good') + cron('bad', '', 'every day'))
  const list = await listTriggers(project.ctx, project)
  expect(list.triggers.map((trigger) => trigger.slug)).toEqual(['good'])
  expect(list.errors).toMatchObject([{ slug: 'bad', path: 'triggers[1].cron' }])
  const toml = "[[triggers]]\nslug = 'old'\ntype = 'cron'\ncron = '0 0 * * * *'\nprompt = 'hi'\n"
  await project.git(
    'update-ref',
    'refs/heads/main',
    await project.commit('legacy', { 'svc.toml': toml }, 'Legacy'),
  )
  expect((await listTriggers(project.ctx, project)).triggers).toMatchObject([
    { slug: 'old', agent: 'default' },
  ])
})

test('what is disabled, paused or archived does not fire', async () => {
  const project = await projectWith(world, cron('off', ', enabled: false') + cron('on'))
  await setTriggerActivation(project.ctx, { project_id: project.project_id, paused: true })
  world.clock.advance(hour)
  await fireAll(world)
  expect(await ledger(world, project, 'on')).toEqual([])
  expect(await listTriggers(project.ctx, project)).toMatchObject({ triggers_paused: true })
  await setTriggerActivation(project.ctx, { project_id: project.project_id, paused: false })
  await fireAll(world)
  expect(await ledger(world, project, 'on')).toEqual([])
  world.clock.advance(hour)
  await fireAll(world)
  expect(statuses(await ledger(world, project, 'on'))).toEqual(['fired'])
  expect(await ledger(world, project, 'off')).toEqual([])
  await archiveProject(project.ctx, project)
  world.clock.advance(hour)
  await fireAll(world)
  expect(statuses(await ledger(world, project, 'on'))).toEqual(['fired'])
})

test('an unusable agent or model is a recorded failure that names it', async () => {
  const project = await projectWith(world, cron('model', ', model: acme/great') + cron('plain'))
  const settings = { ...world.base.settings, offered_models: ['svc/default'] }
  world.clock.advance(hour)
  while (await fireNextDue({ ...world.base, settings }, { catch_up_ms: hour }));
  const [fire] = await ledger(world, project, 'model')
  expect(fire).toMatchObject({
    status: 'failed',
    session_id: null,
    reason: 'The model acme/great is not available (named by the trigger)',
  })
  expect(await row(project.project_id, 'model')).toMatchObject({
    last_status: 'failed',
    last_error: 'The model acme/great is not available (named by the trigger)',
    last_fired_at: null,
  })
  expect(statuses(await ledger(world, project, 'plain'))).toEqual(['fired'])
})

test('a fire waits while its account is at its cap, and fires when there is room', async () => {
  const project = await projectWith(world, cron('full'))
  const settings = { ...world.base.settings, session_cap: 0 }
  world.clock.advance(hour)
  while (await fireNextDue({ ...world.base, settings }, { catch_up_ms: hour }));
  expect(await ledger(world, project, 'full')).toMatchObject([{ status: 'queued', reason: 'session_limit' }])
  world.clock.advance(15_000)
  await fireAll(world)
  expect(statuses(await ledger(world, project, 'full'))).toEqual(['fired'])
})

test('however many are due at once, the account never runs more than its cap', async () => {
  const slugs = Array.from({ length: 20 }, (_, index) => `many${index}`)
  const project = await projectWith(world, slugs.map((slug) => cron(slug)).join(''))
  const ctx = { ...world.base, settings: { ...world.base.settings, session_cap: 5 } }
  world.clock.advance(hour)
  const worker = async () => {
    while (await fireNextDue(ctx, { catch_up_ms: hour }));
  }
  await Promise.all(Array.from({ length: 6 }, worker))
  const outcomes = (await Promise.all(slugs.map((slug) => ledger(world, project, slug)))).flat()
  expect(statuses(outcomes).sort()).toEqual([...Array(5).fill('fired'), ...Array(15).fill('queued')])
  expect(new Set(outcomes.map(({ reason }) => reason))).toEqual(new Set([null, 'session_limit']))
})

test('a fire asks the database for little: it holds its trigger and its account for as long', async () => {
  const project = await projectWith(world, cron('lean'))
  let asked = 0
  const db = world.base.db.withPlugin({
    transformQuery: ({ node }) => {
      asked += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  world.clock.advance(hour)
  expect(await fireNextDue({ ...world.base, db }, { catch_up_ms: hour })).toBe(true)
  expect(statuses(await ledger(world, project, 'lean'))).toEqual(['fired'])
  // Its waits, the claim, the ledger row, what is before it, the account, its room, the session, the end of it.
  expect(asked).toBe(8)
})

test('one fire that hangs is put off, and the others fire', async () => {
  const hung = await projectWith(world, cron('hung'))
  const free = await projectWith(world, cron('free'))
  world.clock.advance(hour)
  let let_go = () => {}
  const held = new Promise<void>((resolve) => (let_go = resolve))
  const holding = new Promise<void>((ready) => {
    void world.db.transaction().execute(async (tx) => {
      await tx
        .selectFrom('accounts')
        .selectAll()
        .where('account_id', '=', hung.account_id)
        .forUpdate()
        .execute()
      ready()
      await held
    })
  })
  await holding
  await fireAll(world, hour, 200)
  let_go()
  expect(statuses(await ledger(world, free, 'free'))).toEqual(['fired'])
  expect(await ledger(world, hung, 'hung')).toEqual([])
  world.clock.advance(31_000)
  await fireAll(world)
  expect(statuses(await ledger(world, hung, 'hung'))).toEqual(['fired'])
})
