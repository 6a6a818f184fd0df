import { errorCodes, ServiceError, statusOf } from '@svc/errors'
import { dialects } from '@svc/models'
import { describe, expect, test } from 'vitest'
import { refusalOf, refusalResponse } from './refusal.ts'

const payments = errorCodes.filter((code) => statusOf(code) === 402)
const details = {
  budget_exceeded: {
    budget: { budget_id: 'b', name: 'Nights', level: 'trigger', subject: 'nightly', period: 'day' },
    ...{ cap_micros: 5, spent_micros: 4, held_micros: 1, resets_at: null, project_id: 'p' },
  },
} as const
const billing = { billing_state: 'none', balance: null, account_id: 'a' }

describe.each(payments)('%s', (code) => {
  const said = code === 'budget_exceeded' ? details[code] : billing
  test.each(Object.values(dialects))('has its fields and the page that helps in $name', async (dialect) => {
    const refusal = refusalOf(new ServiceError(code, 'Not paid; do this', said))
    if (refusal === null) throw new Error('A refusal is expected')
    const answer = refusalResponse(refusal, dialect, 'r')
    expect(answer.status).toBe(402)
    expect(answer.headers.get('x-should-retry')).toBe('false')
    const body = Object(await answer.json())
    const shown = { ...said, help_path: expect.stringMatching(/^\/dashboard\//) }
    expect(body).toMatchObject({ status: 402, code, message: 'Not paid; do this', ...shown })
    expect(body.error).toMatchObject({ message: 'Not paid; do this', ...shown })
  })
})
