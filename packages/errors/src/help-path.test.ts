import { expect, test } from 'vitest'
import { errorBody } from './error-body.ts'
import { helpPath } from './help-path.ts'
import { errorCodes, ServiceError, statusOf } from './service-error.ts'

const details = { project_id: 'p', account_id: 'a' }

test.each(errorCodes.filter((code) => statusOf(code) === 402))('%s names a page that helps', (code) => {
  const page = code === 'budget_exceeded' ? 'projects/p/models?tab=budgets' : 'accounts/a/settings'
  expect(errorBody(new ServiceError(code, 'Not paid', details))).toMatchObject({
    ...{ status: 402, code },
    help_path: `/dashboard/${page}`,
  })
})

test('without the id of its page, and for what is no payment, there is none', () => {
  expect(helpPath(new ServiceError('no_account', 'Not paid', {}))).toBe(null)
  expect(helpPath(new ServiceError('not_found', 'No', details))).toBe(null)
})
