import { expect, test } from 'vitest'
import { stagesOf } from './stages.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()

test('each stage of a start has its seconds, and the running one its limit', () => {
  const events = [
    { status: 'branching', at: at(0) },
    { status: 'provisioning', at: at(1) },
  ]
  expect(stagesOf(events, { status: 'provisioning' })).toEqual([
    { name: 'branch', state: 'done', ms: 1_000, since: at(0), limit: 'at most 2 min' },
    { name: 'sandbox and agent', state: 'running', ms: null, since: at(1), limit: 'at most 30 min' },
  ])
})

test('a start that failed says where, and a later one begins anew', () => {
  const failed = [
    { status: 'provisioning', at: at(0) },
    { status: 'failed', at: at(5) },
  ]
  expect(stagesOf(failed, { status: 'failed' })).toMatchObject([{ state: 'failed', ms: 5_000 }])
  const again = [...failed, { status: 'provisioning', at: at(9) }, { status: 'running', at: at(10) }]
  expect(stagesOf(again, { status: 'running' })).toMatchObject([{ state: 'done', ms: 1_000, since: at(9) }])
})
