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

test('what is not of the API is shown as it is', () => {
  expect(failureText(new Error('unreachable'))).toMatchObject({ message: 'unreachable', request_id: null })
  expect(failureText('odd').message).toBe('odd')
})
