import { expect, test } from 'vitest'
import { isStale, loginTokens } from './login-tokens.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test('what is kept ends when the platform said', () =>
  expect(
    loginTokens({ access_token: 'a', token_type: 'bearer', refresh_token: 'r', expires_in: 3600 }, now),
  ).toEqual({ token: 'a', login: { refresh_token: 'r', expires_at: '2026-01-01T01:00:00.000Z' } }))

test('an answer without a refresh token is no login', () =>
  expect(() => loginTokens({ access_token: 'a', token_type: 'bearer', expires_in: 1 }, now)).toThrow())

test.each([
  ['2026-01-01T00:01:01Z', false],
  ['2026-01-01T00:01:00Z', true],
  ['2025-12-31T00:00:00Z', true],
  ['nonsense', true],
])('a token that ends at %s is stale: %s', (expires_at, stale) =>
  expect(isStale({ refresh_token: 'r', expires_at }, now)).toBe(stale),
)
