import { afterEach, beforeEach, expect, test } from 'vitest'
import { levelsOf, migrate, migrations, readSchema } from '../../src/index.ts'
import { type EmptyDatabase, emptyDatabase } from '../../src/testing/index.ts'
import { describeSchema } from '../support/describe-schema.ts'

let empty: EmptyDatabase
beforeEach(async () => {
  empty = await emptyDatabase()
})
afterEach(() => empty.close())

const newest = migrations.length

test('of two at once one works, and the other finds nothing to do', async () => {
  const ran = await Promise.all([migrate(empty.connection_string), migrate(empty.connection_string)])
  expect(ran.map((names) => names.length).sort((a, b) => a - b)).toEqual([0, newest])
  expect(await readSchema(empty.db)).toEqual({
    ...levelsOf(migrations),
    level: newest,
    min_reader: 0,
    pending: [],
    ahead: [],
    drifted: [],
  })
})

test('a database that was made before there were books gets them', async () => {
  const books = migrations.findIndex(({ name }) => name.endsWith('schema-state'))
  await migrate(empty.connection_string, { migrations: migrations.slice(0, books) })
  expect(await readSchema(empty.db)).toMatchObject({
    level: 0,
    pending: migrations.slice(books).map(({ name }) => expect.objectContaining({ name })),
  })
  await migrate(empty.connection_string, { version: '2.0.0' })
  const noted = await empty.db.selectFrom('schema_migrations').selectAll().orderBy('level').execute()
  expect(noted.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name))
  expect(noted.map(({ version }) => version)).toEqual(
    migrations.map((_, index) => (index < books ? '' : '2.0.0')),
  )
})

/** They landed in this order, which is not that of their names: databases were made by both. */
const crossed = [
  ['20261121T1900-sessions', '20261121T2000-triggers'],
  ['20261122T0010-sign-in', '20261122T0015-oauth'],
]

test('migrations that landed crossed give the same schema in both orders', async () => {
  const order = [...migrations]
  for (const [earlier, later] of crossed) {
    const [one, other] = [earlier, later].map((name) =>
      order.findIndex((migration) => migration.name === name),
    )
    expect(other).toBe(Number(one) + 1)
    order.splice(Number(one), 2, ...order.slice(Number(one), Number(one) + 2).reverse())
  }
  await migrate(empty.connection_string)
  const straight = await describeSchema(empty.db)
  const landed = await emptyDatabase()
  try {
    await migrate(landed.connection_string, { migrations: order })
    expect(await describeSchema(landed.db)).toEqual(straight)
  } finally {
    await landed.close()
  }
})
