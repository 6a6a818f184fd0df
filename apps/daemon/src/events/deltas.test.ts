import { expect, test, vi } from 'vitest'
import { createDeltas } from './deltas.ts'

test('the first piece is told at once, the others together, in order, once the time is over', () => {
  vi.useFakeTimers()
  try {
    const emitted: string[] = []
    const deltas = createDeltas({ everyMs: 100, maxChars: 20 }, (id, delta) => emitted.push(`${id}=${delta}`))
    deltas.add('m1', 'a')
    expect(emitted).toEqual(['m1=a'])
    deltas.add('m1', 'b')
    deltas.add('m1', 'c')
    deltas.add('m2', 'd')
    expect(emitted).toEqual(['m1=a'])
    vi.advanceTimersByTime(100)
    expect(emitted).toEqual(['m1=a', 'm1=bc', 'm2=d'])
    deltas.add('m2', 'e')
    expect(emitted).toHaveLength(3)
    vi.advanceTimersByTime(1000)
    expect(emitted).toEqual(['m1=a', 'm1=bc', 'm2=d', 'm2=e'])
  } finally {
    vi.useRealTimers()
  }
})

test('a flush tells at once, and nothing is told again', () => {
  const emitted: string[] = []
  const deltas = createDeltas({ everyMs: 100, maxChars: 20 }, (_id, delta) => emitted.push(delta))
  deltas.add('m', 'x')
  deltas.add('m', 'y')
  deltas.flush()
  deltas.flush()
  expect(emitted).toEqual(['x', 'y'])
})

test('no more of a message is passed on than is kept of it, and others lose nothing by it', () => {
  const emitted: string[] = []
  const deltas = createDeltas({ everyMs: 100, maxChars: 5 }, (id, delta) => emitted.push(`${id}=${delta}`))
  for (let pieces = 0; pieces < 1_000; pieces++) deltas.add('long', 'abc')
  deltas.flush()
  deltas.add('other', 'abc')
  deltas.flush()
  expect(emitted).toEqual(['long=abc', 'long=ab', 'other=abc'])
})
