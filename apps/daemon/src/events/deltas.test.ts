import { expect, test, vi } from 'vitest'
import { createDeltas } from './deltas.ts'

test('pieces of one message are told together, in order, once the time is over', () => {
  vi.useFakeTimers()
  try {
    const told: string[] = []
    const deltas = createDeltas(100, (id, delta) => told.push(`${id}=${delta}`))
    deltas.add('m1', 'a')
    deltas.add('m1', 'b')
    deltas.add('m2', 'c')
    expect(told).toEqual([])
    vi.advanceTimersByTime(100)
    expect(told).toEqual(['m1=ab', 'm2=c'])
    vi.advanceTimersByTime(1000)
    expect(told).toHaveLength(2)
  } finally {
    vi.useRealTimers()
  }
})

test('a flush tells at once, and nothing is told again', () => {
  const told: string[] = []
  const deltas = createDeltas(100, (_id, delta) => told.push(delta))
  deltas.add('m', 'x')
  deltas.flush()
  deltas.flush()
  expect(told).toEqual(['x'])
})
