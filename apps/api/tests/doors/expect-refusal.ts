import { expect } from 'vitest'
import type { Answer } from '../support/platform.ts'

const known = new Set(['error', 'message', 'status', 'code', 'action', 'entitlement', 'feature'])

/** A refusal, and nothing but a refusal. */
export function expectRefusal(answer: Answer, statuses: readonly number[], path = ''): void {
  expect(statuses).toContain(answer.status)
  // The sign-in has a shape of its own.
  if (path.startsWith('/v1/auth/')) {
    expect(answer.body).toEqual({ error: expect.any(String), error_description: expect.any(String) })
    return
  }
  expect(answer.body).toMatchObject({ error: true, status: answer.status })
  expect(Object.keys(Object(answer.body)).filter((key) => !known.has(key))).toEqual([])
  if (answer.status === 403 && answer.pick('code') === 'forbidden')
    expect(answer.pick('action')).toMatch(/^[a-z]+(\.[a-z_]+)+$/)
  if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer')
}
