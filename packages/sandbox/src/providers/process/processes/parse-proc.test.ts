import { describe, expect, it } from 'vitest'
import { parseIdMap, parseUids, residentKib } from './parse-proc.ts'

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
