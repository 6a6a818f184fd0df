import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import type { Log, RowByRow } from './list-rows.ts'
import { pagesOptions } from './pages-options.ts'
import { readAgain } from './read-again.ts'

interface Row {
  readonly id: string
  readonly at: number
  readonly word: string
}

const size = 10
const changed = (id: string) => ({ type: 'changed', kind: 'session', project_id: 'p', id }) as const
const rows = (count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: `r${at}`, at, word: 'old' })).toReversed()

const leaves: (() => void)[] = []
afterEach(() => leaves.splice(0).forEach((leave) => leave()))

/** A list of the platform, all of it read by a page; `asked` are the requests since. */
async function allRead(stored: Row[], how: 'row' | 'log') {
  const asked: string[] = []
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const idOf = ({ id }: Row) => id
  const byRow: RowByRow<Row> = {
    idOf,
    read: async (id) => {
      asked.push(id)
      return stored.find((row) => row.id === id) ?? null
    },
    isBefore: (row, other) => row.at > other.at,
  }
  const log: Log<Row> = { idOf }
  const read = async (cursor: string | undefined) => {
    asked.push(`after ${cursor ?? 'none'}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
    const rest = cursor === undefined ? stored : stored.filter(({ at }) => at < Number(cursor))
    const items = rest.slice(0, size)
    return { items, next_cursor: rest.length > size ? String(items.at(-1)?.at) : null }
  }
  const list = { key: ['sessions', 'p', {}], read, follow: how === 'row' ? byRow : log }
  const observer = new InfiniteQueryObserver(queries, pagesOptions(queries, list))
  leaves.push(observer.subscribe(() => undefined))
  const shown = () => observer.getCurrentResult().data?.pages.flatMap(({ items }) => items) ?? []
  await expect.poll(() => shown().length).toBe(Math.min(size, stored.length))
  while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage()
  asked.length = 0
  return { queries, observer, shown, asked }
}

test('one change of one row among a hundred pages is one request', async () => {
  const stored = rows(1_000)
  const { queries, shown, asked } = await allRead(stored, 'row')
  const at = stored.findIndex(({ id }) => id === 'r123')
  stored[at] = { id: 'r123', at: 123, word: 'new' }
  readAgain(queries, changed('r123'))
  await expect.poll(() => shown()[at]?.word).toBe('new')
  expect(asked).toEqual(['r123'])
  expect(shown()).toEqual(stored)
})

test('a new row stands at its place and a removed one goes, each by one request', async () => {
  const stored = rows(100)
  const { queries, shown, asked } = await allRead(stored, 'row')
  stored.unshift({ id: 'r100', at: 100, word: 'new' })
  stored.splice(40, 1)
  readAgain(queries, changed('r100'))
  readAgain(queries, changed('r60'))
  readAgain(queries, changed('of no row'))
  await expect.poll(shown).toEqual(stored)
  await expect.poll(() => asked.toSorted()).toEqual(['of no row', 'r100', 'r60'])
})

test('of changes of more rows than there are pages all is read again, once', async () => {
  const stored = rows(30)
  const { queries, shown, asked } = await allRead(stored, 'row')
  for (let at = 0; at < 30; at += 1) stored[at] = { ...(stored[at] as Row), word: 'new' }
  for (const { id } of stored) readAgain(queries, changed(id))
  await expect.poll(shown).toEqual(stored)
  expect(asked).toEqual(['after none', 'after 20', 'after 10'])
})

test('of a log the newest page is read, and what was read before stays', async () => {
  const stored = rows(95)
  const { queries, shown, asked } = await allRead(stored, 'log')
  stored[2] = { ...(stored[2] as Row), word: 'new' }
  stored.unshift({ id: 'r95', at: 95, word: 'new' })
  readAgain(queries, changed('p of the log'))
  await expect.poll(shown).toEqual(stored)
  expect(asked).toEqual(['after none'])
  // More than a page of new rows leaves a gap, which only all of it closes.
  for (let at = 96; at < 120; at += 1) stored.unshift({ id: `r${at}`, at, word: 'new' })
  readAgain(queries, changed('p of the log'))
  await expect.poll(() => shown()[0]?.id).toBe('r119')
  expect(shown()).toEqual(stored.slice(0, shown().length))
})

test('a change does not take back the next page that a person asked for', async () => {
  const stored = rows(60)
  const { queries, observer, shown } = await allRead(stored, 'row')
  await queries.resetQueries()
  await expect.poll(() => shown().length).toBe(size)
  const more = observer.fetchNextPage()
  readAgain(queries, changed('r59'))
  await more
  expect(shown().length).toBe(2 * size)
})
