import { describe, expect, test } from 'vitest'
import { daysOf } from './days.ts'

const now = new Date('2026-03-10T12:00:00Z')

describe('the days of a question about spend', () => {
  test.each([
    [{}, '2026-02-08', '2026-03-10'],
    [{ since: '2026-03-01' }, '2026-03-01', '2026-03-10'],
    [{ until: '2026-01-31' }, '2026-01-01', '2026-01-31'],
    [{ since: '2026-03-01T23:30:00+01:00', until: '2026-03-02T00:00:00Z' }, '2026-03-01', '2026-03-01'],
    [{ since: '2025-03-10', until: '2026-03-10' }, '2025-03-10', '2026-03-10'],
  ])('%j', (asked, since, until) => {
    expect(daysOf(asked, now)).toEqual({ since, until })
  })

  test.each([
    [{ since: '2026-03-02', until: '2026-03-01' }, 'until'],
    [{ since: '2025-03-09', until: '2026-03-10' }, 'since'],
  ])('%j is refused', (asked, path) => {
    expect(() => daysOf(asked, now)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    expect(() => daysOf(asked, now)).toThrow(path)
  })
})
