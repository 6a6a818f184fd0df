import { expect, test } from 'vitest'
import { scheduleText } from './schedule-text.ts'

const none = { cron: null, run_at: null, timezone: null, interval: null, mode: null }

test.each([
  [{ ...none, type: 'cron', cron: '0 0 9 * * 1-5', timezone: 'UTC' }, '0 0 9 * * 1-5 (UTC)'],
  [{ ...none, type: 'cron', cron: '0 0 9 * * *' }, '0 0 9 * * *'],
  [{ ...none, type: 'cron', run_at: '2026-12-01T09:00:00Z' }, 'once at 2026-12-01T09:00:00Z'],
  [{ ...none, type: 'webhook' }, 'when a delivery comes'],
  [{ ...none, type: 'monitor', mode: 'poll', interval: '5m' }, 'polls every 5m'],
  [{ ...none, type: 'monitor', mode: 'stream' }, 'follows its command'],
] as const)('%j', (trigger, text) => {
  expect(scheduleText(trigger)).toBe(text)
})
