import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { getApproval } from '../../src/index.ts'
import type { Child } from './processes.ts'
import type { ApiRequest } from './run-api.ts'
import { ask, isEnd, kills, openFigures, openStage, type Seat, timeout, type Way } from './stage.ts'

const stage = await openStage()
const place = await stage.openPlace('plain')
/** Of another account: a transaction that stays open holds up the audit log of its own. */
const aside = await stage.openPlace('plain')

/**
 * The verb that stops at each line, and the messages that its session gets in all; `read` where the caller has the answer.
 * `written` is the one moment that no order of writes covers: its bytes are out, and nothing says so yet.
 */
const lines = [
  { line: 'uncommitted', verb: 'call', ways: ['approved'], read: 0, prompts: 1 },
  { line: 'committed', verb: 'call', ways: ['approved'], read: 0, prompts: 1 },
  { line: 'uncommitted', verb: 'decide', ways: ['approved'], read: 0, prompts: 1 },
  { line: 'committed', verb: 'decide', ways: ['approved'], read: 0, prompts: 1 },
  { line: 'inserted', verb: 'call', ways: ['direct'], read: 0, prompts: 1 },
  { line: 'waiting', verb: 'call', ways: ['direct', 'approved'], read: 0, prompts: 1 },
  { line: 'owed', verb: 'call', ways: ['direct', 'approved'], read: 0, prompts: 1 },
  { line: 'inline', verb: 'call', ways: ['direct', 'approved'], read: 0, prompts: 1 },
  { line: 'half', verb: 'call', ways: ['direct', 'approved'], read: 0, prompts: 1 },
  { line: 'written', verb: 'call', ways: ['direct', 'approved'], read: 1, prompts: 1 },
  { line: 'delivered', verb: 'call', ways: ['direct', 'approved'], read: 1, prompts: 0 },
] as const

interface Case {
  readonly line: (typeof lines)[number]
  readonly way: Way
  readonly seat: Seat
}
const placeOf = ({ line }: Case['line']) => (line === 'uncommitted' ? aside : place)
const cases: Case[] = []
for (const line of lines)
  for (const way of line.ways) cases.push({ line, way, seat: await stage.openSeat(placeOf(line)) })
const named = (line: string, verb = 'call') =>
  cases.filter((one) => one.line.line === line && one.line.verb === verb)
/** Those whose API is killed after a person approved and the end was written, and before the answer was. */
const ending = cases.filter(({ line, way }) => way === 'approved' && line.ways.length > 1)
const deciding = cases.filter(({ line }) => line.verb === 'decide')
/** The API is killed while the executor still works. */
const waiting = named('waiting')

const executor = await stage.startExecutor(
  Object.fromEntries(waiting.map(({ seat }) => [seat.session_id, 'answered'])),
)
afterAll(() => executor.kill())
const { figures, show } = openFigures('killed: the API alone')

/** The request of each case to an API, and the answer that its client reads. */
async function send(api: Child) {
  // No round counts the requests of another, nor does an attempt.
  const round = randomUUID()
  const pathOf = ({ line, way }: Case) => `/${round}/${line.verb}/${line.line}/${way}`
  const requests = await Promise.all(
    cases.map(async (one): Promise<ApiRequest> => {
      const { session_id, agent } = one.seat
      const held = { session_id, line: one.line.line }
      const input = stage.input(one.seat, one.way, pathOf(one), 45)
      if (one.line.verb === 'call')
        return { ...held, principal: agent.principal, asked: { verb: 'call', input } }
      const call_id = await stage.freeze(one.seat, pathOf(one))
      const { project_id } = one.seat.place
      const { person } = await stage.fresh(one.seat.place)
      const { digest } = await getApproval(person, { project_id, call_id })
      const decision = { project_id, call_id, digest, decision: 'approve' as const }
      return { ...held, principal: person.principal, asked: { verb: 'decide', input: decision } }
    }),
  )
  return { paths: cases.map(pathOf), answers: requests.map((request) => ask(api, request)) }
}

test(
  `an API that is killed ${kills} times at each line doubles nothing and loses nothing`,
  { timeout },
  async () => {
    for (let n = 0; n < kills; n += 1) {
      const since = stage.world.clock.now()
      executor.send({ now: since.toISOString() })
      const reachedBefore = executor.reached.length
      const api = await stage.startApi(executor)
      const { paths, answers } = await send(api)
      for (const { seat } of ending) {
        await expect.poll(() => stage.countOf(seat, since)).toBe(1)
        const { call_id } = await stage.callOf(seat, since)
        await stage.approve(seat.place, call_id)
        executor.send({ execute: call_id })
      }
      await expect.poll(() => api.reached.length).toBe(cases.length - waiting.length)
      await expect.poll(() => executor.reached.length - reachedBefore).toBe(waiting.length)
      await api.kill()
      figures.processes += 1
      figures.stopped += cases.length
      for (const { seat } of waiting) executor.send({ go: seat.session_id })
      const outcomes = await Promise.all(answers)

      // Nothing was written: the caller, whose connection was lost, asks again. What was written is the same call.
      for (const line of ['uncommitted', 'committed'])
        for (const one of named(line)) {
          const path = paths[cases.indexOf(one)] ?? ''
          expect(await stage.countOf(one.seat, since)).toBe(line === 'committed' ? 1 : 0)
          await stage.freeze(one.seat, path)
          await stage.approve(one.seat.place, (await stage.callOf(one.seat, since)).call_id)
        }
      const again = await Promise.allSettled(
        deciding.map(async ({ seat }) =>
          stage.approve(seat.place, (await stage.callOf(seat, since)).call_id),
        ),
      )
      expect(deciding.map(({ line }, index) => [line.line, again[index]?.status])).toEqual([
        ['uncommitted', 'fulfilled'],
        ['committed', 'rejected'],
      ])

      const calls = await Promise.all(cases.map(async ({ seat }) => stage.callOf(seat, since)))
      const ids = calls.map(({ call_id }) => call_id)
      await stage.sweep(ids)
      await stage.sweep(ids)
      for (const [index, { line }] of cases.entries()) {
        const [call_id = '', path = ''] = [ids[index], paths[index]]
        const asked = stage.service.asked.filter((request) => request.path === `/api${path}`).length
        const read = line.verb === 'call' ? isEnd(outcomes[index] ?? null) : 0
        const prompts = await stage.prompts(call_id)
        const { status, delivered_at } = await stage.rowOf(call_id)
        stage.count(figures, { doubled: asked > 1, read, prompts, status })
        expect.soft({ path, status, asked, read, prompts, isDelivered: delivered_at !== null }).toEqual({
          ...{ path, status: 'succeeded', asked: 1, read: line.read, prompts: line.prompts },
          isDelivered: true,
        })
      }
      show()
    }
  },
)
