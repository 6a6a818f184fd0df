import { setTimeout as sleep } from 'node:timers/promises'
import { reopenChangeRequest, runMergeAttempt } from '@svc/services'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { workDeliveries } from '../src/worker/index.ts'
import { untilOneLives } from './dying-worker.ts'
import { openStage } from './support.ts'

const world = await openWorld({ session_cap: 500 })

const ignored = () => undefined

/** A thread of Ada's with the card of a change request of its session. */
async function withCard(title: string) {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  const root = stage.mention(ada, 'begin')
  await stage.run()
  const [session] = await stage.sessionsHere()
  const { session_id = '' } = session ?? {}
  const { cr_id } = await stage.project.propose('feature', undefined, { session_id, title })
  await stage.run()
  const card = (words = title) => {
    const found = stage.said(root).find(({ blocks }) => JSON.stringify(blocks).includes(words))
    if (found === undefined) throw new Error('There is no card')
    return found
  }
  /** Presses with a worker that dies, then with one that lives once the lease of the first ran out. */
  const press = async (
    button: string,
    by: typeof stage.worker,
    more: { readonly text?: string; readonly card?: string } = {},
  ) => {
    await stage.slack.press(stage.general, card(more.card).ts, {
      user: ada,
      button,
      ...(more.text !== undefined && { text: more.text }),
    })
    await stage.slack.settled()
    await workDeliveries(by, stage.channel_id, 1).catch(ignored)
    world.clock.advance(120_000)
    await stage.run()
  }
  const changeRequest = () =>
    world.db.selectFrom('change_requests').selectAll().where('cr_id', '=', cr_id).executeTakeFirstOrThrow()
  const verdict = async () => (await stage.deliveries()).at(-1)
  return { stage, ada, session_id, cr_id, card, press, changeRequest, verdict }
}

test('changes are asked for once, before whichever query the worker of the press dies', async () => {
  const { stage, session_id, card, press, changeRequest, verdict } = await withCard('Add it')
  const wanted: string[] = []
  const queries = await untilOneLives(stage.worker, async (n, worker) => {
    wanted.push(`change ${n}`)
    await press('Request changes', worker, { text: `change ${n}` })
    return async () => {
      const told = (await stage.prompts(session_id)).flatMap(({ text }) => /^change \d+$/m.exec(text) ?? [])
      expect(told).toEqual(wanted)
      const { requested_changes = [] } = Object((await changeRequest()).metadata)
      expect(requested_changes.map(({ text }: { text: string }) => text)).toEqual(wanted)
      expect(await verdict()).toMatchObject({ verdict: 'accepted', reason: null })
      expect(JSON.stringify(card().blocks)).toContain('Changes asked for by Ada')
    }
  })
  expect(queries).toBeGreaterThan(10)
  expect(stage.slack.workspace.ephemerals.filter(({ text }) => !text.includes('Link yourself'))).toEqual([])
})

test('a change request is closed once by a press, which is not refused for its own act', async () => {
  const { stage, cr_id, press, changeRequest, verdict } = await withCard('Close it')
  const queries = await untilOneLives(stage.worker, async (_, worker) => {
    await press('Close', worker)
    return async () => {
      expect(await changeRequest()).toMatchObject({ status: 'closed' })
      expect(await verdict()).toMatchObject({ verdict: 'accepted', reason: null })
      await reopenChangeRequest(stage.project.ctx, { project_id: stage.project.project_id, cr: cr_id })
      await stage.run()
    }
  })
  expect(queries).toBeGreaterThan(10)
})

test('one attempt merges, before whichever query the worker of the press dies', async () => {
  const { stage, session_id, press, verdict } = await withCard('Merge it')
  const { project } = stage
  const attempts = () =>
    world.db
      .selectFrom('merge_attempts')
      .selectAll()
      .where('project_id', '=', project.project_id)
      .orderBy('created_at')
      .execute()
  let of = 0
  const mergeUntil = async (working: Promise<void>) => {
    const ended = { now: false }
    const end = () => {
      ended.now = true
    }
    working.then(end, end)
    while (!ended.now) {
      for (const { attempt_id, status } of await attempts())
        if (status === 'pending') await runMergeAttempt(world.worker(), { attempt_id })
      await sleep(10)
    }
  }
  const queries = await untilOneLives(stage.worker, async (n, worker) => {
    const { number } = await project.propose(`feature-${n}`, undefined, { session_id, title: `Number ${n}.` })
    await stage.run()
    const pressed = press('Merge', worker, { card: `Number ${n}.` })
    await Promise.all([pressed, mergeUntil(pressed)])
    return async () => {
      of += 1
      expect((await attempts()).map(({ status }) => status)).toEqual(Array(of).fill('merged'))
      expect(await project.git('show', `main:feature-${n}.txt`)).toBe(`feature-${n}`)
      expect(await verdict()).toMatchObject({ verdict: 'accepted', reason: null })
      expect(number).toBe(n + 2)
    }
  })
  expect(queries).toBeGreaterThan(10)
})
