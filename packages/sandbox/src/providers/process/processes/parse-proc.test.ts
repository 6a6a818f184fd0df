import { describe, expect, it } from 'vitest'
import { parseIdMap, parseProcessStat, parseUids, residentKib } from './parse-proc.ts'

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
    })
  })

  it.each(['', '12', '12 (node) S 1', 'x (node) S 1 2 3'])('gives null for %j', (text) => {
    expect(parseProcessStat(text)).toBeNull()
  })
})

describe('parseUids', () => {
  it('reads all four', () => {
    expect(parseUids('Name:\tsh\nUid:\t200007\t0\t0\t200007\nGid:\t1\t1\t1\t1\n')).toEqual([
      200007, 0, 0, 200007,
    ])
  })

  it('gives none for a process that is gone', () => {
    expect(parseUids('')).toEqual([])
  })
})

describe('parseIdMap', () => {
  it.each([
    ['         0          0 4294967295\n', { first: 0, count: 4294967295 }],
    ['         0     100000      65536\n', { first: 0, count: 65536 }],
    ['         0       1000          1\n         1     100000      65536\n', { first: 1, count: 65536 }],
    ['', { first: 0, count: 0 }],
  ])('%j', (text, range) => {
    expect(parseIdMap(text)).toEqual(range)
  })
})

it('residentKib counts what is a process’s own', () => {
  expect(residentKib('VmRSS:\t  900 kB\nRssAnon:\t  500 kB\nRssFile:\t  300 kB\nRssShmem:\t  100 kB\n')).toBe(
    600,
  )
  expect(residentKib('')).toBe(0)
})
