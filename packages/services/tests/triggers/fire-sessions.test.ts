import { triggers } from '@svc/db'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  deleteSession,
  fireNextDue,
  fireNextOwed,
  fireTrigger,
  replayTriggerFire,
  getTrigger,
  listTriggerFires,
  previewTrigger,
} from '../../src/index.ts'
import type { TestProject } from '../../src/testing/projects.ts'
import { declare, fireAll, ledger, projectWith, promptsOf } from '../../src/testing/triggers.ts'
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
const row = async (project_id: string, slug: string) => {
  const found = await triggers.find(world.db, { project_id, slug })
  if (!found) throw new Error(`There is no ${slug}`)
  return found
}

describe('what a fire is told of the one before it', () => {
  const says = '{{ cron.last_fired_at }} {{ cron.fired_at }}'
  const hourly = (more = '') =>
    `  - { slug: since, type: cron, cron: '0 0 * * * *', prompt: '${says}'${more} }\n`
  /** A clock that goes on while a fire is written. */
  const ticking = () => ({
    ...world.base,
    now: () => {
      world.clock.advance(7)
      return world.clock.now()
    },
  })
  const fireTicking = async () => {
    while (await fireNextDue(ticking(), { catch_up_ms: hour }));
    while (await fireNextOwed(ticking()));
  }
  const chain = async (project: TestProject) => {
    const texts = (await promptsOf(world, project)).map((text) => text.split(' '))
    expect(texts.map(([last]) => last)).toEqual(['', ...texts.slice(0, -1).map(([, fired]) => fired)])
    const rows = (await ledger(world, project, 'since')).filter((fire) => fire.status === 'fired')
    expect(rows.map((fire) => fire.fired_at?.toISOString()).sort()).toEqual(texts.map(([, fired]) => fired))
    expect((await row(project.project_id, 'since')).last_fired_at?.toISOString()).toBe(texts.at(-1)?.[1])
    return texts.length
  }

  test('its own instant, to the millisecond, also after an outage and a replay', async () => {
    const project = await projectWith(world, hourly())
    for (const hours of [1, 1, 6, 1]) {
      world.clock.advance(hours * hour)
      await fireTicking()
    }
    const missed = (await ledger(world, project, 'since')).find((fire) => fire.status === 'missed')
    const again = { project_id: project.project_id, slug: 'since', fire_id: missed?.fire_id ?? '' }
    await replayTriggerFire({ ...project.ctx, now: ticking().now }, again)
    world.clock.advance(hour)
    await fireTicking()
    expect(await chain(project)).toBe(6)
  })

  test('the same where slots wait for each other', async () => {
    const project = await projectWith(world, hourly(', overlap: queue'))
    for (let slot = 0; slot < 3; slot += 1) {
      world.clock.advance(hour)
      await fireTicking()
    }
    for (let waiting = 0; waiting < 2; waiting += 1) {
      const rows = await ledger(world, project, 'since')
      const session_id = rows.findLast((fire) => fire.status === 'fired')?.session_id ?? ''
      await deleteSession(project.ctx, { project_id: project.project_id, session_id })
      world.clock.advance(30_000)
      await fireTicking()
    }
    expect(await chain(project)).toBe(3)
  })
})

describe('overlap', () => {
  test.each([
    ['allow', ['fired', 'fired', 'fired']],
    ['skip', ['fired', 'skipped', 'skipped']],
    ['queue', ['fired', 'queued', 'queued']],
  ] as const)('%s', async (overlap, expected) => {
    const project = await projectWith(world, cron('busy', `, overlap: ${overlap}`))
    for (let slot = 0; slot < 3; slot += 1) {
      world.clock.advance(hour)
      await fireAll(world)
    }
    const rows = await ledger(world, project, 'busy')
    expect(statuses(rows)).toEqual(expected)
    if (overlap !== 'queue') return
    expect(rows.map((fire) => fire.reason)).toEqual([null, 'overlap', 'overlap'])
    await deleteSession(project.ctx, {
      project_id: project.project_id,
      session_id: rows[0]?.session_id ?? '',
    })
    world.clock.advance(30_000)
    await fireAll(world)
    expect(statuses(await ledger(world, project, 'busy'))).toEqual(['fired', 'fired', 'queued'])
  })
})

describe('session modes', () => {
  const twice = async (more: string) => {
    const project = await projectWith(world, cron('mode', more))
    for (let slot = 0; slot < 2; slot += 1) {
      world.clock.advance(hour)
      await fireAll(world)
    }
    const [first, second] = await ledger(world, project, 'mode')
    return { project, first: first?.session_id, second: second?.session_id }
  }

  test('fresh opens another session', async () => {
    const { first, second } = await twice('')
    expect(second).not.toBe(first)
  })

  test('reuse goes on with the newest, until that is deleted', async () => {
    const { project, first, second } = await twice(', session_mode: reuse')
    expect(second).toBe(first)
    expect(await promptsOf(world, project)).toHaveLength(2)
    await deleteSession(project.ctx, { project_id: project.project_id, session_id: first ?? '' })
    world.clock.advance(hour)
    await fireAll(world)
    expect((await ledger(world, project, 'mode')).at(-1)?.session_id).not.toBe(first)
  })

  test('pinned falls back to reuse when the pin is gone', async () => {
    const { first, second } = await twice(', session_mode: pinned, session_id: nowhere')
    expect(first).toBeTruthy()
    expect(second).toBe(first)
  })

  test('pinned goes on with its session', async () => {
    const project = await projectWith(world, cron('one'))
    const opened = await fireTrigger(project.ctx, { project_id: project.project_id, slug: 'one' })
    if (opened.status !== 'fired') throw new Error(opened.reason)
    await declare(world, project, cron('pin', `, session_mode: pinned, session_id: ${opened.session_id}`))
    const fired = await fireTrigger(project.ctx, { project_id: project.project_id, slug: 'pin' })
    expect(fired).toEqual({ status: 'fired', session_id: opened.session_id })
  })

  test('keyed shares a session by its key, and an empty key by none', async () => {
    const same = await twice(", session_key: '{{ trigger.slug }}'")
    expect(same.second).toBe(same.first)
    const empty = await twice(", session_key: '{{ nothing }}'")
    expect(empty.second).not.toBe(empty.first)
  })
})

test('a person fires by hand with words, and reads the ledger page by page', async () => {
  const project = await projectWith(
    world,
    "  - { slug: say, type: cron, cron: '0 0 * * * *', prompt: '{{ message.text }} {{ actor }}', enabled: false }\n",
  )
  const key = { project_id: project.project_id, slug: 'say' }
  for (const text of ['one', 'two', 'three']) {
    expect(await fireTrigger(project.ctx, { ...key, text })).toMatchObject({ status: 'fired' })
    world.clock.advance(1000)
  }
  expect((await promptsOf(world, project))[0]).toBe(`one ${project.owner.user_id}`)
  const first = await listTriggerFires(project.ctx, { ...key, limit: 2 })
  expect(first.fires).toMatchObject([{ type: 'manual', status: 'fired' }, { type: 'manual' }])
  const rest = await listTriggerFires(project.ctx, { ...key, limit: 2, cursor: first.next_cursor ?? '' })
  expect(rest).toMatchObject({ fires: [{ type: 'manual' }], next_cursor: null })
  expect((await previewTrigger(project.ctx, key)).next_fires).toHaveLength(5)
  expect(await getTrigger(project.ctx, key)).toMatchObject({
    enabled: false,
    webhook_url: null,
    last_status: 'fired',
  })
  await expect(fireTrigger(project.ctx, { ...key, slug: 'nowhere' })).rejects.toMatchObject({
    code: 'not_found',
  })
})
