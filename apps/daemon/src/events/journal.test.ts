import { expect, test } from 'vitest'
import { createJournal, readCursor } from './journal.ts'

const room = { events: 3, chars: 1_000 }
const event = (n: number) => ({ type: 'message' as const, at: '2026-01-01T00:00:00Z', payload: { n } })

function filled(count: number) {
  const journal = createJournal('e1', room)
  for (let n = 1; n <= count; n += 1) journal.add(event(n))
  return journal
}

test('events are numbered from one and given from a cursor on', () => {
  const journal = filled(3)
  expect(journal.head_seq).toBe(3)
  expect(journal.after(1)?.map(({ seq }) => seq)).toEqual([2, 3])
  expect(journal.after(3)).toEqual([])
  expect(createJournal('e', room).after(0)).toEqual([])
})

test('a cursor that is too old, or from the future, asks for a resync', () => {
  const journal = filled(7)
  expect(journal.after(1)).toBeNull()
  expect(journal.after(4)?.map(({ seq }) => seq)).toEqual([5, 6, 7])
  expect(journal.after(8)).toBeNull()
})

test('followers hear each event until they leave', () => {
  const journal = filled(0)
  const followed: number[] = []
  const leave = journal.follow(({ seq }) => followed.push(seq))
  journal.add(event(1))
  leave()
  journal.add(event(2))
  expect(followed).toEqual([1])
})

test.each([
  ['e1:12', 12],
  ['12', 12],
  ['e2:12', null],
  ['e1:x', null],
  ['', null],
])('the cursor %j is %s', (text, seq) => {
  expect(readCursor(text, 'e1')).toBe(seq)
})

test('it keeps no more than its room, however long its events are, and the newest of them whatever its length', () => {
  const journal = filled(0)
  const said = (text: string) => journal.add({ ...event(0), payload: { text } })
  const held = (): number[] =>
    Array.from({ length: journal.head_seq }, (_, seq) => journal.after(seq)?.length ?? -1)
  for (let n = 0; n < 4; n += 1) said('x'.repeat(600))
  // The fourth made 2,400 of 1,000: one of them has room.
  expect(held()).toEqual([-1, -1, -1, 1])
  said('x'.repeat(5_000))
  expect(held().at(-1)).toBe(1)
  expect(held().filter((count) => count > 0)).toHaveLength(1)
})
