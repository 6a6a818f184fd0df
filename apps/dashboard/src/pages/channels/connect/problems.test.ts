import { ApiError } from '@svc/sdk'
import { expect, test } from 'vitest'
import { problemsOf } from './problems.ts'

const form = {
  fields: ['slug', 'agent', 'credentials.bot_token', 'settings.api_url'],
  conflict: 'slug',
}

const matrixForm = {
  fields: ['slug', 'credentials.access_token', 'settings.homeserver_url'],
  conflict: 'slug',
}

const refusal = (fields: Partial<ApiError>) =>
  new ApiError({
    status: 422,
    code: 'channel_not_usable',
    message: 'Refused',
    issues: [],
    request_id: null,
    retry_after: null,
    details: {},
    ...fields,
  })

test.each([
  ['a token that lets no bot in', { details: { reason: 'credential_refused' } }, 'credentials.bot_token'],
  ['a token without a scope', { details: { reason: 'missing_scope' } }, 'credentials.bot_token'],
  ['an address within', { details: { reason: 'private_address' } }, 'settings.api_url'],
  ['a slug that is taken', { status: 409, code: 'conflict' }, 'slug'],
  ['a slug that is not declared', { status: 400, code: 'channel_not_declared' }, 'slug'],
])('%s is said at its field', (_, fields, field) => {
  expect(problemsOf(refusal(fields), form)).toEqual({ at: { [field]: 'Refused' }, rest: null })
})

test.each([
  ['a token that lets no bot in', 'credential_refused', 'credentials.access_token'],
  ['an address within', 'private_address', 'settings.homeserver_url'],
  ['an address without an answer', 'unreachable', 'settings.homeserver_url'],
])('of Matrix, %s is said at its field', (_, reason, field) => {
  const error = refusal({ details: { reason } })
  expect(problemsOf(error, matrixForm)).toEqual({ at: { [field]: 'Refused' }, rest: null })
})

test('issues are said at their fields, unless one is of none', () => {
  const issues = [{ path: 'agent', message: 'must be declared' }]
  const known = refusal({ status: 400, code: 'invalid_request', issues })
  expect(problemsOf(known, form)).toEqual({ at: { agent: 'must be declared' }, rest: null })
  const other = { path: 'conversations.C1.name', message: 'must not be blank' }
  const mixed = refusal({ status: 400, code: 'invalid_request', issues: [...issues, other] })
  expect(problemsOf(mixed, form)).toEqual({ at: {}, rest: mixed })
})

test.each([
  ['Slack does not answer', refusal({ details: { reason: 'unreachable' } })],
  ['the platform fails', new Error('unreachable')],
  ['nothing failed', null],
])('where %s, no field is named', (_, error) => {
  expect(problemsOf(error, form)).toEqual({ at: {}, rest: error })
})
