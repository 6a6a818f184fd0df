import { triggers } from '@svc/db'
import { describe, expect, test } from 'vitest'
import { createSession, stopSession } from '../../src/index.ts'
import { addOwner } from '../../src/testing/people.ts'
import type { TestProject } from '../../src/testing/projects.ts'
import { newSession, type TestSession } from '../../src/testing/sessions.ts'
import { deliver, fireAll, ledger, projectWith } from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const hook = '  - { slug: hook, type: webhook, secret_env: HOOK_SECRET, prompt: x }\n'
/** As many sessions as the free plan holds. */
const cap = 3

const project = async (declared = hook) => projectWith(world, declared, await addOwner(world, 'free'))
const fill = async (of: TestProject) => Promise.all(Array.from({ length: cap }, () => newSession(world, of)))
const stop = async (of: TestProject, [session]: readonly TestSession[]) => {
  if (!session) throw new Error('There is no session to stop')
  world.queue.live = true
  await stopSession(of.ctx, session.key)
  await world.queue.settled()
  world.queue.live = false
}
const outcomes = async (of: TestProject) =>
  (await ledger(world, of, 'hook')).map(({ status, session_id, reason }) =>
    status === 'fired' ? { status, session_id } : { status, reason },
  )

describe('a delivery that has to wait is not answered as fired', () => {
  test('where a create of its account waits already', async () => {
    const mine = await project()
    const full = await fill(mine)
    await createSession(mine.ctx, { project_id: mine.project_id, respond_async: true, body: {} })
    await stop(mine, full)
    expect(await deliver(world, mine, {})).toEqual({ status: 'queued', reason: 'session_limit' })
    world.clock.advance(1_000)
    await fireAll(world)
    expect(await outcomes(mine)).toEqual([{ status: 'queued', reason: 'session_limit' }])
  })

  test('where an earlier fire of its trigger waits', async () => {
    const mine = await project()
    const full = await fill(mine)
    expect(await deliver(world, mine, {})).toEqual({ status: 'queued', reason: 'session_limit' })
    world.clock.advance(1_000)
    await fireAll(world)
    await stop(mine, full)
    world.clock.advance(1)
    expect(await deliver(world, mine, {})).toEqual({ status: 'queued', reason: 'earlier_fires' })
  })

  test('where others that came at the same moment take the places', async () => {
    const mine = await project()
    await newSession(world, mine)
    const answers = await Promise.all(Array.from({ length: 6 }, () => deliver(world, mine, {})))
    const promised = answers.filter(({ status }) => status === 'fired')
    expect(promised).toHaveLength(cap - 1)
    world.clock.advance(1_000)
    await fireAll(world)
    world.clock.advance(1_000)
    await fireAll(world)
    expect(await outcomes(mine)).toEqual(expect.arrayContaining(promised))
  })

  test('where no sandbox is made of the template that its agent asks for', async () => {
    const mine = await project(
      `${hook}sandbox: { default: big, templates: [{ slug: big, image: debian:12 }] }\n`,
    )
    const refusing = {
      ...world,
      worker: () => world.worker({ template_refusal: () => 'No machine is so big' }),
    }
    await expect(deliver(refusing, mine, {})).rejects.toMatchObject({ code: 'trigger_fire_failed' })
  })
})

test('what waits is counted no further than was asked, and one that comes to a full account is kept for later at once', async () => {
  const mine = await project()
  await fill(mine)
  for (let count = 0; count < cap + 2; count += 1) await deliver(world, mine, {})
  const [standing] = await triggers.listStandings(
    world.db,
    [{ project_id: mine.project_id, slug: 'hook' }],
    cap,
  )
  expect(standing).toMatchObject({ live: cap, pending: cap, earlier: false })
  const kept = await ledger(world, mine, 'hook')
  expect(kept.map(({ attempts }) => attempts)).toEqual(Array<number>(cap + 2).fill(0))
  expect(kept.every(({ retry_at, created_at }) => Number(retry_at) === created_at.getTime() + 1_000)).toBe(
    true,
  )
})

test('one that finds a place is answered with the session that it gets', async () => {
  const mine = await project()
  const answer = await deliver(world, mine, {})
  expect(answer).toMatchObject({ status: 'fired' })
  await fireAll(world)
  expect(await outcomes(mine)).toEqual([answer])
})
