import { openWorld } from '@svc/services/testing'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { callConnector } from '../../src/index.ts'
import { openExecutor, openPlace, type Place, startService } from '../support/place.ts'

const world = await openWorld({ session_cap: 500 })
const executor = openExecutor(world)
const service = await startService()

afterEach(() => vi.restoreAllMocks())

const call = (place: Place, wait_seconds: number) =>
  callConnector(place.agent, {
    ...{ connector: 'tracker', action: 'get', args: { path: '/issues' }, door: 'executor' },
    ...{ project_id: place.project_id, wait_seconds },
  })

/** Every statement of this process that `work` leads to, on a line each, and the moment at which its service is asked. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const answer = service.answer
  service.answer = (asked, response) => {
    texts.push('(asked)')
    answer(asked, response)
  }
  const query = vi.spyOn(pg.Client.prototype, 'query')
  query.mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    const text = typeof first === 'string' ? first : Object(first).text
    // A look at the maintenance mode is no part of it.
    if (!String(text).includes('from "maintenance"')) texts.push(String(text).replaceAll(/\s+/g, ' ').trim())
    return Reflect.apply(original, this, given)
  })
  await work()
  // The lock is given back beside the answer.
  await expect.poll(() => texts.some((text) => text.includes('pg_advisory_unlock'))).toBe(true)
  query.mockRestore()
  service.answer = answer
  return texts
}
const original = pg.Client.prototype.query

const writes = /^(\/\* prepared \*\/ )?(insert|update|delete|with .*\b(insert|update|delete)\b)/
/** The transactions that wait for the disk: writes of their own, and commits. */
const flushes = (texts: readonly string[]): number => {
  let open = false
  return texts.filter((text) => {
    if (text === 'begin') open = true
    if (text === 'commit') open = false
    return text === 'commit' || (!open && writes.test(text) && !text.includes('synchronous_commit'))
  }).length
}

test('a call that runs at once costs nine statements and waits for the disk twice: before it is sent, and at its end', async () => {
  const place = await openPlace(world, executor, service)
  await call(place, 20)
  const texts = await statementsOf(() => call(place, 20))
  const sent = texts.indexOf('(asked)')
  expect(texts.length - 1, texts.join('\n')).toBeLessThanOrEqual(9)
  expect(flushes(texts.slice(0, sent)), texts.join('\n')).toBe(1)
  expect(texts[sent - 1]).toContain('sent_at')
  expect(flushes(texts.slice(sent)), texts.join('\n')).toBe(1)
})

test('a caller that does not wait learns of a call whose row is on the disk', async () => {
  const place = await openPlace(world, executor, service)
  await call(place, 20)
  const texts = await statementsOf(() => call(place, 0))
  const begun = texts.findIndex((text) => text.includes('insert into connector_calls'))
  expect(flushes(texts.slice(begun, begun + 1)), texts.join('\n')).toBe(1)
})
