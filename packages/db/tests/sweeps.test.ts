import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../src/testing/index.ts'
import { explain } from './support/explain.ts'
import { fillHistory } from './support/history.ts'
import { sweepsAt } from './support/sweeps.ts'

/** The living rows and the indexes to them. */
const mostBuffers = 50

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await fillHistory(database.db, { dead: 200_000, live: 10, owing: 10 })
})
afterAll(() => database.close())

const inAnHour = new Date(Date.now() + 3_600_000)

test.each(sweepsAt(inAnHour))('the sweep for %s reads what is live alone', async (_, sweep) => {
  const plans = await explain(database.db, sweep)
  expect(plans.length).toBeGreaterThan(0)
  const busy = [
    'project_sessions',
    'session_sandboxes',
    'session_prompts',
    'merge_attempts',
    'manifest_edits',
  ]
  const large = [...busy, 'trigger_fires', 'trigger_deliveries']
  expect(
    plans.filter(
      (plan) => plan.buffers > mostBuffers || plan.sequential.some((table) => large.includes(table)),
    ),
  ).toEqual([])
})
