import { randomUUID } from 'node:crypto'
import { harnessInstalls } from '@svc/db'
import { expect, test } from 'vitest'
import { ensureHarness, type HarnessInstaller, reportTurnStream } from '../../src/index.ts'
import { metricValue } from '../../src/testing/metric-value.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)

const value = (name: string, labels: Readonly<Record<string, string>>) => metricValue(world, name, labels)

/** A session that runs, whose row names this harness. */
async function running(harness: string) {
  const session = await runningSession(world, project)
  await world.db
    .updateTable('session_runtimes')
    .set({ harness, settings: '{}' } as never)
    .where('session_id', '=', session.session_id)
    .execute()
  const ctx = await session.daemon()
  const report = (body: object) =>
    reportTurnStream(ctx, { ...session.key, ...body } as Parameters<typeof reportTurnStream>[1])
  return { report }
}

test('a process of an agent counts once, whatever it says of itself again, and so does its silence', async () => {
  const { report } = await running('codex')
  const of = { harness: 'codex' }
  for (let times = 0; times < 2; times++) await report({ kind: 'runtime_info', epoch: 1, state: 'ready' })
  expect(await value('svc_harness_starts_total', of)).toBe(1)
  for (let times = 0; times < 2; times++) await report({ kind: 'runtime_info', epoch: 1, state: 'silent' })
  expect(await value('svc_harness_silences_total', of)).toBe(1)
  await report({ kind: 'runtime_info', epoch: 2, state: 'ready' })
  await report({ kind: 'runtime_info', epoch: 1, state: 'ready' })
  expect(await value('svc_harness_starts_total', of)).toBe(2)
})

test('the start of a process is measured once, and the first word of each turn', async () => {
  const { report } = await running('pi-acp')
  const of = { harness: 'pi-acp' }
  for (let times = 0; times < 2; times++)
    await report({ kind: 'runtime_info', epoch: 1, state: 'ready', ready_ms: 1_500 })
  expect(await value('svc_harness_ready_seconds_count', of)).toBe(1)
  expect(await value('svc_harness_ready_seconds_sum', of)).toBe(1.5)
  await report({ kind: 'turn_end', prompt_id: randomUUID(), status: 'completed', first_token_ms: 250 })
  // A turn that ended before its agent said a word has no first one.
  await report({ kind: 'turn_end', prompt_id: randomUUID(), status: 'aborted' })
  expect(await value('svc_harness_first_token_seconds_count', of)).toBe(1)
  expect(await value('svc_harness_first_token_seconds_sum', of)).toBe(0.25)
})

test('a turn counts by the reason that the agent gave for its end; a name of a manifest is other', async () => {
  const { report } = await running('mine')
  const turn = async (end: object) => {
    const prompt_id = world.base.newId()
    await report({ kind: 'turn_begin', prompt_id })
    for (let times = 0; times < 2; times++) await report({ kind: 'turn_end', prompt_id, ...end })
  }
  await turn({ status: 'completed', stop_reason: 'max_tokens' })
  await turn({ status: 'completed', stop_reason: 'a word of its own' })
  await turn({ status: 'interrupted' })
  for (const stop_reason of ['max_tokens', 'other', 'none'])
    expect(await value('svc_harness_turns_total', { harness: 'other', stop_reason }), stop_reason).toBe(1)
})

test('what could not be read of an agent counts once, however often its report comes', async () => {
  const { report } = await running('claude')
  const said = (payload: object) => ({
    kind: 'events',
    events: [{ event_id: 'runtime:1', type: 'runtime', at: new Date().toISOString(), payload }],
  })
  for (let times = 0; times < 2; times++) await report(said({ unknown_updates: 3, garbage_lines: 40 }))
  await report({ ...said({ unknown_updates: -1, garbage_lines: 'many' }) })
  const counted = (kind: string) => value('svc_harness_unread_total', { harness: 'claude', kind })
  expect([await counted('update'), await counted('line')]).toEqual([3, 40])
})

test('a turn of a runtime with a server of its own is not counted', async () => {
  const session = await runningSession(world, project)
  const ctx = await session.daemon()
  const prompt_id = world.base.newId()
  await reportTurnStream(ctx, { ...session.key, kind: 'turn_begin', prompt_id })
  await reportTurnStream(ctx, { ...session.key, kind: 'turn_end', prompt_id, status: 'completed' })
  expect(await value('svc_harness_turns_total', { harness: 'agentrt' })).toBeNull()
})

test('installs count by their outcome', async () => {
  const wish = { harness: 'gemini', version: '0.61.0' }
  let failures = 1
  const harnesses: HarnessInstaller = {
    ...{ store: 'measured', root: '/store', target: 'linux' },
    install: async () => {
      failures -= 1
      if (failures === 0) throw new Error('the registry is away')
      return { digest: 'digest', bytes: 7 }
    },
    folder: async () => '/store',
    remove: async () => async () => undefined,
    sweepScratch: async () => undefined,
  }
  let ahead = 0
  const now = () => new Date(Date.now() + (ahead += 60_000))
  await ensureHarness({ ...world.worker(), now, harnesses }, wish)
  for (const outcome of ['failed', 'installed'])
    expect(await value('svc_harness_installs_total', { harness: 'gemini', outcome }), outcome).toBe(1)
  const key = { store: 'measured', target: 'linux', ...wish }
  expect(await harnessInstalls.find(world.db, key)).toMatchObject({ state: 'ready' })
})
