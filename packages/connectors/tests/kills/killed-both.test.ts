import { randomUUID } from 'node:crypto'
import type { CallOutcome } from '../../src/index.ts'
import { expect, test } from 'vitest'
import { ask, isEnd, kills, openFigures, openStage, type Seat, settle, timeout, type Way } from './stage.ts'

type Kind = 'plain' | 'keyed'
const stage = await openStage()
const places = { plain: await stage.openPlace('plain'), keyed: await stage.openPlace('keyed') }

/** The end of a write whose service knows no key, and of one whose service does; how often each is then asked in all. */
const lines = [
  { line: 'claimed', plain: 'succeeded', keyed: 'succeeded', asked: { plain: 1, keyed: 1 } },
  { line: 'gate', plain: 'succeeded', keyed: 'succeeded', asked: { plain: 1, keyed: 1 } },
  { line: 'sent', plain: 'unknown', keyed: 'succeeded', asked: { plain: 0, keyed: 1 } },
  { line: 'answered', plain: 'unknown', keyed: 'succeeded', asked: { plain: 1, keyed: 2 } },
  { line: 'uncommitted', plain: 'unknown', keyed: 'succeeded', asked: { plain: 1, keyed: 2 } },
  { line: 'committed', plain: 'succeeded', keyed: 'succeeded', asked: { plain: 1, keyed: 1 } },
] as const

interface Case {
  readonly line: (typeof lines)[number]
  readonly kind: Kind
  readonly way: Way
  readonly seat: Seat
}
const cases: Case[] = []
for (const line of lines)
  for (const kind of ['plain', 'keyed'] as const)
    for (const way of ['direct', 'approved'] as const)
      // A direct call is written as claimed.
      if (way === 'approved' || line.line !== 'claimed')
        cases.push({ line, kind, way, seat: await stage.openSeat(places[kind]) })
const heldAt = Object.fromEntries(cases.map(({ line, seat }) => [seat.session_id, line.line]))

test.each(['both', 'the executor alone'] as const)(
  `%s, killed ${kills} times while callers wait, double nothing, lose nothing and deliver each end once`,
  { timeout },
  async (who) => {
    // Their end is written, and those who wait have not taken it.
    const untaken = cases.filter(({ line }) => who === 'both' && line.line === 'committed')
    const { figures, show } = openFigures(`killed: ${who}`)
    // No attempt of this test counts the requests of another.
    const run = randomUUID()
    for (let n = 0; n < kills; n += 1) {
      const since = stage.world.clock.now()
      const executor = await stage.startExecutor(heldAt)
      const api = await stage.startApi(executor)
      const pathOf = ({ line, kind, way }: Case) => `/${run}/${n}/${line.line}/${kind}/${way}`
      const answers = cases.map((one): Promise<CallOutcome | null> =>
        ask(api, {
          ...{ session_id: one.seat.session_id, principal: one.seat.agent.principal },
          line: untaken.includes(one) ? 'owed' : 'none',
          asked: { verb: 'call', input: stage.input(one.seat, one.way, pathOf(one), 45) },
        }),
      )
      const approved = cases.filter(({ way }) => way === 'approved')
      for (const { seat } of approved) {
        await expect.poll(() => stage.countOf(seat, since)).toBe(1)
        const { call_id } = await stage.callOf(seat, since)
        await stage.approve(seat.place, call_id)
        executor.send({ execute: call_id })
      }
      await expect.poll(() => executor.reached.length).toBe(cases.length)
      await expect.poll(() => api.reached.length).toBe(untaken.length)
      const calls = await Promise.all(cases.map(async ({ seat }) => stage.callOf(seat, since)))
      await Promise.all(who === 'both' ? [executor.kill(), api.kill()] : [executor.kill()])
      figures.processes += who === 'both' ? 2 : 1
      figures.stopped += cases.length
      const ids = calls.map(({ call_id }) => call_id)
      if (who !== 'both') {
        // The sweep, 11 seconds later, would take an answer that this API is writing for one that it never wrote.
        await stage.noted(ids.filter((_, index) => cases[index]?.line.line === 'committed'))
        await stage.moveOn(api)
      }
      await stage.sweep(ids)
      const outcomes = await Promise.all(answers)
      const read = ids.filter((_, index) => isEnd(outcomes[index] ?? null) === 1)
      await stage.noted(read)
      await stage.sweep(ids)
      if (who !== 'both') await api.kill()
      for (const [index, one] of cases.entries()) {
        const { line, kind, seat } = one
        const call_id = ids[index] ?? ''
        const requests = stage.service.asked.filter(({ path }) => path === `/api${pathOf(one)}`)
        const keys = new Set(requests.map(({ headers }) => headers['idempotency-key'] ?? Math.random()))
        const { status, sent_at } = await stage.rowOf(call_id)
        const reads = isEnd(outcomes[index] ?? null)
        const prompts = await stage.prompts(call_id)
        stage.count(figures, { doubled: keys.size > 1, read: reads, prompts, status })
        expect
          .soft({
            one: pathOf(one),
            status,
            asked: requests.length,
            keys: keys.size,
            delivered: reads + prompts,
          })
          .toEqual({
            ...{ one: pathOf(one), status: line[kind], asked: line.asked[kind] },
            ...{ keys: Math.min(1, line.asked[kind]), delivered: 1 },
          })
        if (status !== 'unknown') continue
        expect([sent_at === null, kind]).toEqual([false, 'plain'])
        await settle(stage, await stage.fresh(seat.place), call_id)
        figures.settled += 1
      }
      show()
    }
  },
)
