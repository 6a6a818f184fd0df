import { expect, test } from 'vitest'
import { errorBody } from './error-body.ts'
import { errorCodes, ServiceError, statusOf } from './service-error.ts'

test('a refusal has error, message, status, code and its details', () => {
  const body = errorBody(new ServiceError('CR_ALREADY_OPEN', 'Open already', { cr_id: 'x', number: 3 }))
  expect(body).toEqual({
    error: true,
    message: 'Open already',
    status: 409,
    code: 'CR_ALREADY_OPEN',
    cr_id: 'x',
    number: 3,
  })
})

test.each([
  'MERGE_CONFLICT',
  'CR_UNRELATED_HISTORIES',
  'repository_push_rejected',
  'git_mirror_unavailable',
] as const)("git's own refusal %s has its text in error", (code) => {
  expect(errorBody(new ServiceError(code, 'git says no')).error).toBe('git says no')
})

test('details never replace the fixed fields, and what is told in headers is not in the body', () => {
  const headers = { retry_after: 3, rate_limit: { limit: 1, remaining: 0, reset: 3 } }
  const body = errorBody(new ServiceError('not_found', 'No', { status: 200, code: 'x', ...headers }))
  expect(body).toEqual({ error: true, message: 'No', status: 404, code: 'not_found' })
})

test.each(errorCodes)('%s is a client or server error', (code) => {
  expect(statusOf(code)).toBeGreaterThanOrEqual(400)
})
