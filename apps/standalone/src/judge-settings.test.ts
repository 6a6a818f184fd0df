import { expect, test } from 'vitest'
import { judgeSettings } from './judge-settings.ts'

test('right values, and the default of one, are taken', () =>
  expect(judgeSettings({ SVC_PORT: '7800', SVC_MODEL: 'm', SVC_IDLE_SECONDS: '' }).problems).toEqual([]))

test('a wrong value is told as at the start', () => {
  const { problems } = judgeSettings({ SVC_PORT: 'many', SVC_LOG_LEVEL: 'loud' })
  expect(problems.join()).toContain('SVC_PORT: must be a number (given: "many")')
  expect(problems.join()).toContain('SVC_LOG_LEVEL: must be one of trace,')
})

test('the settings of the services by themselves are known', () =>
  expect(judgeSettings({}).known).toEqual(
    expect.arrayContaining([
      'SVC_TRUSTED_PROXIES',
      'SVC_MERGE_CONCURRENCY',
      'SVC_SANDBOX_CONCURRENCY',
      'REDIS_URL',
    ]),
  ))
