import { triggers } from '@svc/db'
import { beforeEach, expect, test } from 'vitest'
import {
  createSession,
  fireNextDue,
  fireTrigger,
  putSecret,
  receiveWebhook,
  updateProject,
} from '../../src/index.ts'
import type { TestProject } from '../../src/testing/projects.ts'
import { endOf } from '../support/replica.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { declare, fireAll, hookSecret, ledger, look, projectWith } from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 500 })
const hour = 3_600_000
beforeEach(async () => {
  await world.db.deleteFrom('project_triggers').execute()
})

const tick = (more = '') =>
  `  - { slug: tick, type: cron, cron: '0 0 * * * *', prompt: go${more} }\n  - { slug: hook, type: webhook, secret_env: HOOK_SECRET, prompt: go${more} }\n`
const agentFile = (model: string) => ({
  '.svc/agentrt/agents/default.md': `---\nmodel: ${model}\n---\nWork.\n`,
})
const offering = (offered_models: string[]) => ({ ...world.base.settings, offered_models })

const setAccountModel = ({ account_id }: TestProject, default_model: string) =>
  world.db.updateTable('accounts').set({ default_model }).where('account_id', '=', account_id).execute()

/** A project that names a model wherever one may be named, as far as `depth` says. */
async function named(depth: number): Promise<TestProject> {
  const project = await projectWith(world, tick(depth > 3 ? ', model: trigger/m' : ''))
  if (depth > 2) {
    await project.commit('main', agentFile('agent/m'), 'Name a model')
    await look(world, project)
  }
  if (depth > 1) await updateProject(project.ctx, { ...project, default_model: 'project/m' })
  if (depth > 0) await setAccountModel(project, 'account/m')
  return project
}

async function modelOfSession(session_id: string | null | undefined): Promise<string | null> {
  const row = await world.db
    .selectFrom('project_sessions')
    .select('model')
    .where('session_id', '=', session_id ?? '')
    .executeTakeFirstOrThrow()
  return row.model
}

// A model that the agent's own file names is read there, on the session's branch: the session itself names none.
test.each([
  [0, null],
  [1, 'account/m'],
  [2, 'project/m'],
  [3, null],
  [4, 'trigger/m'],
] as const)('with %i places that name one, a fire and a create begin with %s', async (depth, model) => {
  const project = await named(depth)
  world.clock.advance(hour)
  await fireAll(world)
  const [fire] = await ledger(world, project, 'tick')
  expect(await modelOfSession(fire?.session_id)).toBe(model)
  const session = await newSession(world, project, depth > 3 ? { model: 'trigger/m' } : {})
  expect((await session.row()).model).toBe(model)
})

test.each([
  [1, 'The model account/m is not available (the default of the account)'],
  [2, 'The model project/m is not available (the default of the project)'],
  [3, 'The model agent/m is not available (named by the file of the agent default)'],
  [4, 'The model trigger/m is not available (named by the trigger)'],
] as const)('with %i places that name one, one that is not offered fails: %s', async (depth, reason) => {
  const project = await named(depth)
  const { project_id } = project
  const settings = offering(['svc/default'])
  world.clock.advance(hour)
  while (await fireNextDue({ ...world.base, settings }, { catch_up_ms: hour }));
  expect(await ledger(world, project, 'tick')).toMatchObject([{ status: 'failed', session_id: null, reason }])
  expect(await triggers.find(world.db, { project_id, slug: 'tick' })).toMatchObject({
    last_status: 'failed',
    last_error: reason,
    last_fired_at: null,
  })
  const ctx = { ...project.ctx, settings }
  await expect(fireTrigger(ctx, { project_id, slug: 'tick' })).rejects.toMatchObject({
    code: 'TRIGGER_CANNOT_FIRE',
    message: reason,
  })
  // A webhook cannot promise a session that will not be.
  const headers = new Headers({ 'X-Svc-Token': hookSecret })
  const body = async () => ({ bytes: Buffer.from('{}'), whole: true })
  expect(
    await endOf(receiveWebhook({ ...world.worker(), settings }, { project_id, slug: 'hook', headers, body })),
  ).toBe('trigger_fire_failed')
  const create = createSession(ctx, {
    project_id,
    respond_async: false,
    body: depth > 3 ? { model: 'trigger/m' } : {},
  })
  await expect(create).rejects.toMatchObject({
    code: 'invalid_request',
    message: reason.replace('the trigger', 'the request'),
  })
  // The project's own key opens the provider.
  const provider = reason.split(' ')[2]?.split('/')[0]?.toUpperCase()
  await putSecret(project.ctx, { project_id, name: `${provider}_API_KEY`, value: 'key' })
  expect(await fireTrigger(ctx, { project_id, slug: 'tick' })).toMatchObject({ status: 'fired' })
})

test('a trigger follows the file of its agent, and reads nothing that did not change', async () => {
  const project = await named(3)
  const key = { project_id: project.project_id, slug: 'tick' }
  const agentModel = async () => (await triggers.find(world.db, key))?.agent?.model
  expect(await agentModel()).toBe('agent/m')
  await project.commit('main', agentFile('other/m'), 'Name another')
  await look(world, project)
  expect(await agentModel()).toBe('other/m')
  await project.commit('main', { 'README.md': 'x' }, 'Something else')
  await world.db.updateTable('project_triggers').set({ position: 77 }).where('slug', '=', 'tick').execute()
  await look(world, project)
  expect((await triggers.find(world.db, key))?.position).toBe(77)
  await project.commit('main', { '.svc/agentrt/agents/default.md': null }, 'Take it away')
  await look(world, project)
  expect(await agentModel()).toBeNull()
})

test('a session that goes on is told the model of the trigger, and keeps its own otherwise', async () => {
  const project = await projectWith(world, tick(', session_mode: reuse'))
  const { project_id } = project
  for (let slot = 0; slot < 2; slot += 1) await fireTrigger(project.ctx, { project_id, slug: 'tick' })
  await declare(world, project, tick(', session_mode: reuse, model: acme/great'))
  await fireTrigger(project.ctx, { project_id, slug: 'tick' })
  const prompts = await world.db
    .selectFrom('session_prompts as p')
    .innerJoin('project_sessions as s', 's.session_id', 'p.session_id')
    .select('p.model')
    .where('s.project_id', '=', project_id)
    .orderBy('p.position')
    .execute()
  expect(prompts.map((prompt) => prompt.model)).toEqual([null, null, 'acme/great'])
})
