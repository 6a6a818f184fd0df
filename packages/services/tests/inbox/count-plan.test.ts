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
})
