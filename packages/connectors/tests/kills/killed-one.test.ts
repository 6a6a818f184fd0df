import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ask, isEnd, kills, openFigures, openStage, type Seat, settle, timeout } from './stage.ts'

const stage = await openStage()
const place = await stage.openPlace('plain')

/**
 * The end of a write that runs at once, in a process that is API and executor; how often its service was asked; whether the
 * caller has the answer, and the messages that its session gets before a person settles it. `written` is the one moment that
 * no order of writes covers: its bytes are out, and nothing says so yet.
 */
const lines = [
  { line: 'inserted', status: 'succeeded', asked: 1, read: 0, prompts: 1 },
  { line: 'gate', status: 'succeeded', asked: 1, read: 0, prompts: 1 },
  { line: 'sent', status: 'unknown', asked: 0, read: 0, prompts: 1 },
  { line: 'answered', status: 'unknown', asked: 1, read: 0, prompts: 1 },
  { line: 'uncommitted', status: 'unknown', asked: 1, read: 0, prompts: 1 },
  { line: 'committed', status: 'succeeded', asked: 1, read: 0, prompts: 1 },
  { line: 'half', status: 'succeeded', asked: 1, read: 0, prompts: 1 },
  { line: 'written', status: 'succeeded', asked: 1, read: 1, prompts: 1 },
  { line: 'delivered', status: 'succeeded', asked: 1, read: 1, prompts: 0 },
] as const

interface Case {
  readonly line: (typeof lines)[number]
  readonly seat: Seat
}
const cases: Case[] = []
for (const line of lines) cases.push({ line, seat: await stage.openSeat(place) })

test(
  `a platform of one process that is killed ${kills} times at each line doubles nothing and loses nothing`,
  { timeout },
  async () => {
    const { figures, show } = openFigures('killed: one process')
    for (let n = 0; n < kills; n += 1) {
      const [since, round] = [stage.world.clock.now(), randomUUID()]
      const api = await stage.startApi(null)
      const answers = cases.map(({ line: { line }, seat }) =>
        ask(api, {
          ...{ session_id: seat.session_id, principal: seat.agent.principal, line },
          asked: { verb: 'call', input: stage.input(seat, 'direct', `/${round}/${line}`, 45) },
        }),
      )
      await expect.poll(() => api.reached.length, { timeout: 30_000 }).toBe(cases.length)
      await api.kill()
      figures.processes += 1
      figures.stopped += cases.length
      const outcomes = await Promise.all(answers)
      const calls = await Promise.all(cases.map(async ({ seat }) => stage.callOf(seat, since)))
      const ids = calls.map(({ call_id }) => call_id)
      await stage.sweep(ids)
      await stage.sweep(ids)
      for (const [index, { line: expected }] of cases.entries()) {
        const { line } = expected
        const call_id = ids[index] ?? ''
        const asked = stage.service.asked.filter(({ path }) => path === `/api/${round}/${line}`).length
        const read = isEnd(outcomes[index] ?? null)
        const prompts = await stage.prompts(call_id)
        const { status, sent_at } = await stage.rowOf(call_id)
        stage.count(figures, { doubled: asked > 1, read, prompts, status })
        expect.soft({ line, status, asked, read, prompts }).toEqual(expected)
        if (status !== 'unknown') continue
        expect(sent_at).not.toBeNull()
        await settle(stage, await stage.fresh(place), call_id)
        figures.settled += 1
      }
      show()
    }
  },
)
