import { ApiError } from '@svc/sdk'
import { expect, test } from 'vitest'
import { failureText } from './failure-text.ts'

const refusal = {
  status: 409,
  code: 'MERGE_CONFLICT',
  message: 'These branches conflict',
  issues: [],
  request_id: 'req-1',
  retry_after: null,
  details: { conflicts: ['a.txt'] },
}

test('a refusal is shown in the words of the API, with what belongs to it', () => {
  expect(failureText(new ApiError(refusal))).toEqual({
    message: 'These branches conflict',
    points: ['conflict in a.txt'],
    code: 'MERGE_CONFLICT',
    request_id: 'req-1',
    help: null,
  })
  const issues = [
    { path: 'agents', message: 'must not be empty' },
    { path: '', message: 'must be an object' },
  ]
  expect(failureText(new ApiError({ ...refusal, details: {}, issues })).points).toEqual([
    'agents: must not be empty',
    'must be an object',
  ])
})

test.each([
  ['budget_exceeded', '/dashboard/projects/p/models?tab=budgets', 'See the budgets'],
  ['insufficient_credits', '/dashboard/accounts/a/settings', 'See plan and credit'],
])('%s leads to %s', (code, help_path, label) => {
  const refused = new ApiError({ ...refusal, status: 402, code, details: { help_path } })
  expect(failureText(refused).help).toEqual({ path: help_path, label })
})

test('an address elsewhere is no page that helps', () => {
  const refused = new ApiError({ ...refusal, details: { help_path: 'https://elsewhere.example/dashboard/' } })
  expect(failureText(refused).help).toBe(null)
})

test('what is not of the API is shown as it is', () => {
  expect(failureText(new Error('unreachable'))).toMatchObject({ message: 'unreachable', request_id: null })
  expect(failureText('odd').message).toBe('odd')
})
