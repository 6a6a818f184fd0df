import { beforeAll, expect, test } from 'vitest'
import {
  createTrigger,
  deleteTrigger,
  listTriggers,
  mergeChangeRequest,
  refreshDueCatalogues,
  updateTrigger,
} from '../../src/index.ts'
import { addMember } from '../../src/testing/people.ts'
import type { TestProject } from '../../src/testing/projects.ts'
import { endOf } from '../support/replica.ts'
import { projectWith } from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const cron = "  # every hour\n  - { slug: tick, type: cron, cron: '0 0 * * * *', prompt: x } # kept\n"
const nightly = { slug: 'nightly', type: 'cron', cron: '0 30 2 * * *', prompt_template: 'sleep' } as const
let project: TestProject
beforeAll(async () => {
  project = await projectWith(world, cron)
  world.queue.live = true
})
const slugs = async (of = project) => (await listTriggers(of.ctx, of)).triggers.map((trigger) => trigger.slug)
const add = (of: TestProject, trigger: Parameters<typeof createTrigger>[1]['trigger'], ctx = of.ctx) =>
  createTrigger(ctx, { project_id: of.project_id, trigger })

test('an edit is one commit on the default branch that leaves the rest of the file alone', async () => {
  const { project_id } = project
  const before = await project.tip('main')
  expect(await add(project, nightly)).toMatchObject({
    slug: 'nightly',
    prompt_template: 'sleep',
    enabled: true,
  })
  expect(await project.git('rev-parse', 'main^')).toBe(before)
  const text = await project.git('show', 'main:svc.yaml')
  expect(text).toContain(cron.trimEnd())
  expect(text).toContain('prompt: sleep')
  const changed = await updateTrigger(project.ctx, {
    project_id,
    slug: 'nightly',
    changes: { enabled: false, prompt_template: 'wake' },
  })
  expect(changed).toMatchObject({ enabled: false, next_fire_at: null, prompt_template: 'wake' })
  const tip = await project.tip('main')
  await updateTrigger(project.ctx, { project_id, slug: 'nightly', changes: { enabled: false } })
  expect(await project.tip('main')).toBe(tip)
  expect(await deleteTrigger(project.ctx, { project_id, slug: 'nightly' })).toEqual({
    slug: 'nightly',
    deleted: true,
  })
  expect(await slugs()).toEqual(['tick'])
})

test('the secret of a webhook is declared in the same commit, so that the file has no warning', async () => {
  const { project_id } = project
  const push = { slug: 'push', type: 'webhook', secret_env: 'HOOK', prompt_template: 'x' } as const
  await add(project, push)
  expect(await project.git('show', 'main:svc.yaml')).toContain('optional: [HOOK_SECRET, HOOK]')
  await updateTrigger(project.ctx, { project_id, slug: 'push', changes: { secret_env: 'OTHER' } })
  expect(await project.git('show', 'main:svc.yaml')).toContain('optional: [HOOK_SECRET, HOOK, OTHER]')
  await deleteTrigger(project.ctx, { project_id, slug: 'push' })
})

test('what cannot be is refused with a reason, and nothing is committed', async () => {
  const { project_id } = project
  const tip = await project.tip('main')
  expect(await endOf(add(project, { ...nightly, slug: 'tick' }))).toBe('conflict')
  await expect(add(project, { ...nightly, cron: 'daily' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/^The trigger \w+ is not valid: cron: /),
    details: { issues: [{ path: 'cron' }] },
  })
  const gone = { project_id, slug: 'gone' }
  expect(await endOf(deleteTrigger(project.ctx, gone))).toBe('not_found')
  expect(await endOf(updateTrigger(project.ctx, { ...gone, changes: { enabled: true } }))).toBe('not_found')
  const member = world.as((await addMember(world, project, 'member')).principal)
  expect(await endOf(add(project, nightly, member))).toBe('forbidden')
  expect(await project.tip('main')).toBe(tip)
})

test('edits at once each have their commit', async () => {
  const names = ['a', 'b', 'c', 'd']
  await Promise.all(names.map((slug) => add(project, { ...nightly, slug })))
  expect((await slugs()).sort()).toEqual([...names, 'tick'])
})

test('a merge into the default branch is told of, and read by whoever looks next', async () => {
  const mine = await projectWith(world, cron)
  const text = await mine.git('show', 'main:svc.yaml')
  const cr = await mine.propose('work', { 'svc.yaml': `${text}\n${cron.replaceAll('tick', 'tock')}` })
  await mergeChangeRequest(mine.ctx, { project_id: mine.project_id, cr: cr.cr_id })
  while ((await refreshDueCatalogues(world.worker(), 10)) > 0);
  // The same look has the repository packed when that is worth it, and the merge has its sandboxes made ahead.
  expect(world.queue.upkeep).toEqual(expect.arrayContaining(['repository.maintain', 'templates.build']))
  const rows = await world.db
    .selectFrom('project_triggers')
    .select('slug')
    .where('project_id', '=', mine.project_id)
    .execute()
  expect(rows.map((row) => row.slug).sort()).toEqual(['tick', 'tock'])
})
