import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { countInbox } from '../../src/index.ts'
import { makeProject, openWorld } from '../../src/testing/index.ts'

const world = await openWorld()

test('two statements count, and approvals are counted without their calls', async () => {
  const { ctx } = await makeProject(world)
  await countInbox(ctx)
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await countInbox(ctx)
  const asked = query.mock.calls.map(([first]) => Object(first))
  query.mockRestore()
  expect(asked).toHaveLength(2)
  const { text, values } = asked[1]
  const client = new pg.Client({ connectionString: world.connection_string })
  await client.connect()
  const { rows } = await client.query(`explain ${text}`, values)
  await client.end()
  const plan = rows.map((row) => String(Object(row)['QUERY PLAN']))
  // The one kind that is of calls: those that are unknown.
  expect(plan.filter((line) => line.includes('on connector_calls'))).toHaveLength(1)
  // Each kind is counted by itself: nothing sorts them apart.
  expect(plan.filter((line) => line.startsWith('Append'))).toHaveLength(1)
})

test('one statement, written once, counts for everyone', async () => {
  const people = [await makeProject(world), await makeProject(world)]
  const query = vi.spyOn(pg.Client.prototype, 'query')
  for (const { ctx } of people) await countInbox(ctx)
  const counts = query.mock.calls
    .map(([asked]) => Object(asked))
    .filter(({ text }) => text.includes('inbox_marks'))
  query.mockRestore()
  expect(new Set(counts.map(({ text }) => text)).size).toBe(1)
  for (const [n, { owner }] of people.entries())
    expect(counts[n].values.filter((value: unknown) => value === owner.user_id)).toHaveLength(1)
})
