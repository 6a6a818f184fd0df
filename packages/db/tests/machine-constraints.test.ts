import { changeRequestMachine } from '@svc/change-request'
import { promptMachine, sandboxMachine, sessionMachine } from '@svc/session'
import { fireMachine } from '@svc/trigger'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../src/testing/index.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test.each([
  ['change_requests', 'status', changeRequestMachine.states],
  ['project_sessions', 'status', sessionMachine.states],
  ['session_sandboxes', 'status', sandboxMachine.states],
  ['session_prompts', 'state', promptMachine.states],
  ['trigger_fires', 'status', fireMachine.states],
] as const)('%s.%s may be what its machine says, and nothing else', async (table, column, states) => {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${table}::regclass and contype = 'c'`.execute(database.db)
  const lists = rows.flatMap(({ definition }) => {
    const [, list] =
      new RegExp(`^CHECK \\(\\(${column} = ANY \\(ARRAY\\[([^\\]]*)\\]\\)\\)\\)$`).exec(definition) ?? []
    return list === undefined ? [] : [[...list.matchAll(/'([^']*)'/g)].map(([, word]) => word).sort()]
  })
  expect(lists).toEqual([[...states].sort()])
})
