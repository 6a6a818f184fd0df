import { randomUUID } from 'node:crypto'
import type { SpanStart, Tracing } from '@svc/boot'
import { turnTrace } from '@svc/context'
import { gatewayBreakers, gatewayProviders, placeColumns, sessionPrompts } from '@svc/db'
import { SandboxError } from '@svc/sandbox'
import { expect, test } from 'vitest'
import {
  createChangeRequest,
  measureRows,
  measureSchema,
  mergeChangeRequest,
  promptSession,
  provisionSandbox,
  reportTurnStream,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 100 })
const project = await makeProject(world)
const { project_id, ctx } = project

/** The value of a series, without its label `service`; null when it is not there. */
async function value(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number | null> {
  const text = await world.metrics.render()
  const line = text.split('\n').find((one) => {
    const [series = ''] = one.split(' ')
    return (
      series.split('{')[0] === name &&
      Object.entries(labels).every(([label, is]) => series.includes(`${label}="${is}"`))
    )
  })
  return line === undefined ? null : Number(line.split(' ').at(-1))
}

test('a session that is asked for is owed a sandbox, and is counted by what became of it', async () => {
  const session = await newSession(world, project)
  world.clock.advance(90_000)
  await measureRows(world.base)
  expect(await value('svc_owed_rows', { work: 'provision' })).toBe(1)
  expect(await value('svc_owed_oldest_seconds', { work: 'provision' })).toBe(90)
  expect(await value('svc_sessions', { status: 'provisioning' })).toBe(1)

  await world.queue.drain()
  await measureRows(world.base)
  expect((await session.row()).status).toBe('running')
  expect(await value('svc_owed_rows', { work: 'provision' })).toBe(0)
  expect(await value('svc_owed_oldest_seconds', { work: 'provision' })).toBe(0)
  expect(await value('svc_sessions', { status: 'running' })).toBe(1)
  expect(await value('svc_sandboxes', { provider: 'memory', state: 'active' })).toBe(1)
  expect(await value('svc_session_start_seconds_sum', { provider: 'memory', kind: 'cold' })).toBe(90)
  expect(await value('svc_events_total')).toBeGreaterThan(0)

  const unlucky = await newSession(world, project)
  world.provider.failNext('create', new SandboxError('image', 'no such image'))
  await provisionSandbox(world.worker(), unlucky.key)
  expect(await value('svc_session_failures_total', { category: 'image' })).toBe(1)
  world.queue.drop()
})

test('breakers of model providers are counted while they keep calls away', async () => {
  await measureRows(world.base)
  expect(await value('svc_model_breakers', { state: 'open' })).toBe(0)
  const breaker = { provider_id: randomUUID(), key_id: randomUUID() }
  await gatewayProviders.insert(world.db, {
    ...placeColumns({ scope: 'project', project_id }),
    ...{ provider_id: breaker.provider_id, slug: 'acme', kind: 'openai', base_url: 'https://acme.example' },
    ...{ models: null, deadlines: '{}', output_limit_field: 'max_tokens', managed_by: 'api' },
    ...{ created_by: null, created_at: world.clock.now(), updated_at: world.clock.now() },
  })
  const fail = () => gatewayBreakers.fail(world.db, breaker, world.clock.now())
  for (let times = 0; times < 5; times += 1) await fail()
  await measureRows(world.base)
  expect(await value('svc_model_breakers', { state: 'open' })).toBe(1)
  world.clock.advance(31_000)
  await gatewayBreakers.probe(world.db, breaker, world.clock.now())
  await measureRows(world.base)
  expect(await value('svc_model_breakers', { state: 'open' })).toBe(0)
  expect(await value('svc_model_breakers', { state: 'half_open' })).toBe(1)
})

test('a prompt is measured to its delivery, and its turn to its end', async () => {
  const session = await runningSession(world, project)
  const prompt = await promptSession(ctx, { ...session.key, text: 'go' })
  world.clock.advance(3_000)
  await measureRows(world.base)
  expect(await value('svc_owed_rows', { work: 'deliver' })).toBe(1)
  await world.queue.drain()
  expect(await value('svc_prompt_delivery_seconds_sum', { outcome: 'delivered' })).toBe(3)
  const daemon = await session.daemon()
  const of = { ...session.key, prompt_id: prompt.prompt_id }
  await reportTurnStream(daemon, { ...of, kind: 'turn_begin' })
  world.clock.advance(42_000)
  for (let twice = 0; twice < 2; twice += 1)
    await reportTurnStream(daemon, { ...of, kind: 'turn_end', status: 'completed' })
  expect(await value('svc_turn_duration_seconds_sum', { outcome: 'completed' })).toBe(42)
  expect(await value('svc_turn_duration_seconds_count', { outcome: 'completed' })).toBe(1)
})

test('a turn is a part of the trace of its prompt, and follows it when the prompt waited', async () => {
  const begun: SpanStart[] = []
  const tracing: Tracing = {
    begin(start) {
      begun.push(start)
      return { trace_id: '', traceparent: '', end: () => {} }
    },
    close: async () => {},
  }
  const session = await runningSession(world, project)
  const daemon = { ...(await session.daemon()), tracing }
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const turn = async (waited_ms: number) => {
    const { prompt_id } = await promptSession({ ...ctx, traceparent }, { ...session.key, text: 'go' })
    await world.queue.drain()
    world.clock.advance(waited_ms)
    const of = { ...session.key, prompt_id }
    await reportTurnStream(daemon, { ...of, kind: 'turn_begin' })
    const running = await sessionPrompts.findRunning(world.db, session.key)
    await reportTurnStream(daemon, { ...of, kind: 'turn_end', status: 'completed' })
    return { prompt_id, trace: running && turnTrace(running), span: begun.at(-1) }
  }

  const soon = await turn(1_000)
  expect(soon.trace?.traceparent).toMatch(/^00-a{32}-[0-9a-f]{16}-01$/)
  expect(soon.span).toMatchObject({
    name: 'turn',
    parent: traceparent,
    link: undefined,
    ids: soon.trace?.ids,
  })
  const late = await turn(90_000)
  expect(late.trace?.ids.trace_id).toBe(late.prompt_id.replaceAll('-', ''))
  expect(late.span).toMatchObject({ parent: undefined, link: traceparent, ids: late.trace?.ids })
  expect(begun).toHaveLength(2)
})

test('work that a daemon could not save is owed until it is', async () => {
  const session = await runningSession(world, project)
  const daemon = await session.daemon()
  const report = (state: string) => {
    const at = world.clock.now().toISOString()
    const event = {
      event_id: `checkpoint:${state}:${at}`,
      type: 'checkpoint' as const,
      at,
      payload: { state },
    }
    return reportTurnStream(daemon, { ...session.key, kind: 'events', events: [event] })
  }
  await report('failed')
  world.clock.advance(30_000)
  await report('failed')
  await measureRows(world.base)
  expect(await value('svc_owed_rows', { work: 'checkpoint' })).toBe(1)
  expect(await value('svc_owed_oldest_seconds', { work: 'checkpoint' })).toBe(30)
  await report('saved')
  await measureRows(world.base)
  expect(await value('svc_owed_rows', { work: 'checkpoint' })).toBe(0)
})

test('merges are measured by their outcome', async () => {
  world.queue.live = true
  const ahead = await project.propose('ahead')
  await mergeChangeRequest(ctx, { project_id, cr: ahead.cr_id })
  expect(await value('svc_merge_duration_seconds_count', { outcome: 'merged' })).toBe(1)
  await project.commit('main', { 'same.txt': 'ours\n' })
  await project.git('branch', 'theirs', `${await project.tip('main')}~1`)
  await project.commit('theirs', { 'same.txt': 'theirs\n' })
  const body = { title: 'Theirs', head_ref: 'theirs' }
  const apart = await createChangeRequest(ctx, { project_id, ...body })
  await expect(mergeChangeRequest(ctx, { project_id, cr: apart.cr_id })).rejects.toThrow()
  expect(await value('svc_merge_duration_seconds_count', { outcome: 'conflict' })).toBe(1)
  expect(await value('svc_merge_duration_seconds_count', { outcome: 'failed' })).toBe(0)
  world.queue.live = false
})

test('a migration that ran with other statements is counted', async () => {
  await measureSchema(world.base)
  expect(await value('svc_schema_drifted_migrations')).toBe(0)
  const { name } = await world.db
    .selectFrom('schema_migrations')
    .select('name')
    .limit(1)
    .executeTakeFirstOrThrow()
  await world.db.updateTable('schema_migrations').set({ checksum: 'x' }).where('name', '=', name).execute()
  await measureSchema(world.base)
  expect(await value('svc_schema_drifted_migrations')).toBe(1)
})
