import { describe, expect, it } from 'vitest'
import { parseProcessStat } from './process-stat.ts'

const stat = (name: string, state = 'S') =>
  `5410 (${name}) ${state} 1 5409 5408 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 3457024 332 18446744073709551615`

describe('parseProcessStat', () => {
  it.each(['node', 'a b', 'odd) R 7 (name', ''])('reads the fields behind the name %j', (name) => {
    expect(parseProcessStat(stat(name))).toEqual({
      pid: 5410,
      state: 'S',
      parent: 1,
      group: 5409,
      session: 5408,
      start_ticks: '987654',
      used_ticks: 0,
    })
  })

  it.each(['', '12', '12 (node) S 1', 'x (node) S 1 2 3'])('gives null for %j', (text) => {
    expect(parseProcessStat(text)).toBeNull()
  })
})
