import { ApiError } from '@svc/sdk'
import { expect, test } from 'vitest'
import { nextStep, particulars } from './next-steps.ts'

const target = {
  ...{ host: 'work', api_url: 'https://svc.example.com/v1', token: 't' },
  host_source: 'active host',
  token_source: 'config file',
} as const
const refusal = { status: 402, message: 'Not paid', issues: [], request_id: null, retry_after: null }

test.each([
  ['budget_exceeded', 'svc gateway budgets set', '/dashboard/projects/p/models?tab=budgets'],
  ['subscription_required', 'svc gateway providers add', '/dashboard/accounts/a/settings'],
  ['no_account', 'ask the operator for credit', '/dashboard/accounts/a/settings'],
  ['insufficient_credits', 'add credit', '/dashboard/accounts/a/settings'],
  ['entitlement_required', 'another plan', '/dashboard/accounts/a/settings'],
])('after %s it says what to do and the page', (code, words, help_path) => {
  const next = nextStep(new ApiError({ ...refusal, code, details: { help_path } }), target)
  expect(next).toContain(words)
  expect(next).toContain(`in the browser: https://svc.example.com${help_path}`)
})

test('a budget that only running calls fill is waited for', () => {
  const waiting = { ...refusal, code: 'budget_exceeded', retry_after: 7, details: {} }
  expect(nextStep(new ApiError(waiting), target)).toBe('try again in 7 s')
})

test('a channel that cannot be used says why, and what to do', () => {
  const unusable = {
    ...{ ...refusal, status: 422, code: 'channel_not_usable', details: { reason: 'private_address' } },
    message: '10.0.0.1 is at an address that is not public',
  }
  expect(particulars(new ApiError(unusable))).toEqual(['reason: private_address'])
  expect(nextStep(new ApiError(unusable), target)).toContain('SVC_OUTBOUND_ADDRESSES')
})

test('a field that is the whole message is not said twice', () => {
  const issues = [{ path: 'title', message: 'is required' }]
  const one = { ...refusal, status: 400, code: 'invalid_request', details: {}, issues }
  expect(particulars(new ApiError({ ...one, message: 'title: is required' }))).toEqual([])
  expect(particulars(new ApiError(one))).toEqual(['title: is required'])
})

test('a platform that is closed is told as such, whatever the words of its operator', () => {
  const closed = { ...refusal, status: 503, code: 'maintenance', message: 'Looking', details: {} }
  expect(nextStep(new ApiError({ ...closed, retry_after: 90 }), target)).toBe(
    'the operator has closed the platform for a while: try again in 90 s',
  )
})
