import { ApiError } from '@svc/sdk'
import { expect, test } from 'vitest'
import { nextStep } from './next-steps.ts'

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
