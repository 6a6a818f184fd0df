import { describe, expect, it } from 'vitest'
import { type AttemptOutcome, retryAfterSeconds, retryDelay } from './retry.ts'

const answered = (status: number, retry_after: number | null = null): AttemptOutcome => ({
  kind: 'answered',
  status,
  retry_after,
})
const nothing: AttemptOutcome = { kind: 'no_response' }

describe('retryDelay', () => {
  it.each(['GET', 'HEAD'])('%s is repeated twice, after 250 and 500 ms', (method) => {
    for (const outcome of [answered(502), answered(503), answered(504), nothing]) {
      expect([0, 1, 2].map((retries) => retryDelay(method, outcome, retries))).toEqual([250, 500, null])
    }
  })

  it('waits for Retry-After when present', () => {
    expect(retryDelay('GET', answered(503, 2), 0)).toBe(2000)
    expect(retryDelay('GET', answered(503, 0), 1)).toBe(0)
  })

  it('leaves a long wait to the caller', () => {
    expect(retryDelay('GET', answered(503, 600), 0)).toBeNull()
  })

  it.each([400, 401, 403, 404, 409, 422, 429, 500])('never repeats after %i', (status) => {
    for (const method of ['GET', 'HEAD', 'DELETE', 'POST']) {
      expect(retryDelay(method, answered(status, 1), 0)).toBeNull()
    }
  })

  it('repeats a DELETE only when no response came', () => {
    expect(retryDelay('DELETE', nothing, 0)).toBe(250)
    expect(retryDelay('DELETE', answered(503), 0)).toBeNull()
  })

  it.each(['POST', 'PUT', 'PATCH'])('never repeats %s', (method) => {
    expect(retryDelay(method, nothing, 0)).toBeNull()
    expect(retryDelay(method, answered(503, 1), 0)).toBeNull()
  })
})

describe('retryAfterSeconds', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  it.each([
    [null, null],
    ['3', 3],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['soon', null],
  ])('%s -> %s', (header, seconds) => expect(retryAfterSeconds(header, now)).toBe(seconds))
})
