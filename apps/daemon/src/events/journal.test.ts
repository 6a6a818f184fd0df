import { expect, test } from 'vitest'
import { createJournal, readCursor } from './journal.ts'

const event = (n: number) => ({ type: 'message' as const, at: '2026-01-01T00:00:00Z', payload: { n } })

function filled(count: number, kept = 3) {
  const journal = createJournal('e1', kept)
  for (let n = 1; n <= count; n += 1) journal.add(event(n))
  return journal
}

test('events are numbered from one and given from a cursor on', () => {
  const journal = filled(3)
  expect(journal.head_seq).toBe(3)
  expect(journal.after(1)?.map(({ seq }) => seq)).toEqual([2, 3])
  expect(journal.after(3)).toEqual([])
  expect(createJournal('e', 3).after(0)).toEqual([])
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
