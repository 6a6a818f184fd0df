import { checkRuns } from '@svc/db'
import { checkNames } from '@svc/facts'
import { addMember, makeProject, newSession, openWorld, runningSession } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { type CheckContext, getChecks, runCheckPart, startChecks, sweepCheckRuns } from '../src/index.ts'
import { checkContext } from './support.ts'

const world = await openWorld({ session_cap: 100 })
const project = await makeProject(world)
const { project_id, ctx } = project
const { user_id } = project.owner
await world.db.updateTable('users').set({ platform_admin: true }).where('user_id', '=', user_id).execute()

const minutes = (count: number) => count * 60_000
const workers = ['merge', 'session'] as const

/** Asks for checks, and has the workers make their parts. */
async function run(input: Parameters<typeof startChecks>[1] = {}, parts: Partial<CheckContext> = {}) {
  const { run_id } = await startChecks(ctx, input)
  for (const queue of workers) await runCheckPart(checkContext(world, parts), { run_id, queue })
  return getChecks(ctx, { run_id })
}

test('a run is asked for by a platform admin, made by both workers, and told', async () => {
  const { run_id, state } = await startChecks(ctx, {})
  expect(state).toBe('running')
  expect(world.queue.upkeep.filter((name) => name === 'checks.run')).toHaveLength(2)
  await runCheckPart(checkContext(world), { run_id, queue: 'merge' })
  expect(await getChecks(ctx, { run_id })).toMatchObject({ state: 'running', finished_at: null })
  await runCheckPart(checkContext(world), { run_id, queue: 'session' })
  expect(await getChecks(ctx, { run_id })).toEqual({
    ...{ run_id, state: 'done', findings: [] },
    ...{ started_at: world.clock.now(), finished_at: world.clock.now() },
  })
  expect((await checkRuns.find(world.db, run_id))?.checks.toSorted()).toEqual([...checkNames].toSorted())
  const member = await addMember(world, project, 'manager')
  for (const refused of [
    () => startChecks(world.as(member.principal), {}),
    () => getChecks(world.as(member.principal), { run_id }),
  ])
    await expect(refused()).rejects.toMatchObject({ code: 'forbidden' })
  await expect(startChecks(ctx, { project_id, checks: ['audit_chain'] })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

test('a part whose job was lost is found by the sweep, and one that ended stays as it is', async () => {
  const { run_id } = await startChecks(ctx, { checks: ['cr_number_behind'] })
  world.queue.upkeep.length = 0
  expect(await sweepCheckRuns(world.base)).toBe(0)
  world.clock.advance(31_000)
  expect(await sweepCheckRuns(world.base)).toBe(1)
  expect(world.queue.upkeep).toEqual(['checks.run'])
  const twice = [1, 2].map(() => runCheckPart(checkContext(world), { run_id, queue: 'merge' }))
  await Promise.all(twice)
  expect(await getChecks(ctx, { run_id })).toMatchObject({ state: 'done', findings: [] })
  expect(await sweepCheckRuns(world.base)).toBe(0)
})

test('a check that cannot be made fails its run, and the others are made', async () => {
  const vault = {
    ...world.base.vault,
    openDataKey: () => {
      throw new TypeError('broken')
    },
  }
  const outcome = await run({ checks: ['key_unopenable', 'cr_number_behind'] }, { vault })
  expect(outcome).toMatchObject({
    state: 'failed',
    findings: [{ check: 'key_unopenable', subject: 'checks/key_unopenable', repairable: false }],
  })
})

test('a sandbox that no row names is destroyed once it was found ten minutes before', async () => {
  const { external_id } = await world.provider.create({ sandbox_id: 'left-over', environment: {} })
  const own = await runningSession(world, project)
  const orphan = { check: 'sandbox_orphan', subject: `sandboxes/${external_id}`, repairable: true }
  const checks = ['sandbox_orphan'] as const
  expect((await run({ checks: [...checks], repair: true })).findings).toMatchObject([
    { ...orphan, repaired: false },
  ])
  world.clock.advance(minutes(9))
  expect((await run({ checks: [...checks], repair: true })).findings).toMatchObject([
    { ...orphan, repaired: false },
  ])
  world.clock.advance(minutes(2))
  expect((await run({ checks: [...checks] })).findings).toMatchObject([{ ...orphan, repaired: false }])
  expect((await run({ checks: [...checks], repair: true })).findings).toMatchObject([
    { ...orphan, repaired: true },
  ])
  expect(await world.provider.status(external_id)).toBe('removed')
  expect(await world.provider.status((await own.sandbox()).external_id ?? '')).toBe('running')
  expect((await run({ checks: [...checks] })).findings).toEqual([])
})

test('a sandbox that is being made is none that no row names', async () => {
  const { session_id } = await newSession(world, project)
  const { external_id } = await world.provider.create({ sandbox_id: session_id, environment: {} })
  expect((await run({ checks: ['sandbox_orphan'] })).findings).toEqual([])
  await world.queue.drain()
  expect((await run({ checks: ['sandbox_orphan'] })).findings).toEqual([])
  expect(await world.provider.status(external_id)).toBe('running')
})

test('a session whose sandbox is gone is looked at', async () => {
  const session = await runningSession(world, project)
  const { external_id } = await session.sandbox()
  const checks = ['sandbox_lost'] as const
  expect((await run({ checks: [...checks], project_id })).findings).toEqual([])
  await world.provider.destroy(external_id ?? '')
  expect((await run({ checks: [...checks], project_id, repair: true })).findings).toMatchObject([
    { project_id, subject: `sessions/${session.session_id}`, repairable: true, repaired: true },
  ])
  await world.queue.drain()
  expect((await session.row()).status).not.toBe('running')
})
