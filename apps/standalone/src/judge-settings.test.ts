import { apiSettings } from '@svc/api'
import { appProxySettings } from '@svc/app-proxy'
import { appWorkerSettings } from '@svc/app-worker'
import { channelWorkerSettings } from '@svc/channel-worker'
import { executorSettings } from '@svc/executor'
import { gatewaySettings } from '@svc/gateway'
import { mergeWorkerSettings } from '@svc/merge-worker'
import { sandboxWorkerSettings } from '@svc/sandbox-worker'
import { schedulerSettings } from '@svc/scheduler'
import { expect, test } from 'vitest'
import { Env } from './env.ts'
import { judgeSettings } from './judge-settings.ts'

test('right values, and the default of one, are taken', () =>
  expect(judgeSettings({ SVC_PORT: '7800', SVC_MODEL: 'm', SVC_IDLE_SECONDS: '' }).problems).toEqual([]))

test('a wrong value is told as at the start', () => {
  const { problems } = judgeSettings({ SVC_PORT: 'many', SVC_LOG_LEVEL: 'loud' })
  expect(problems.join()).toContain('SVC_PORT: must be a number (given: "many")')
  expect(problems.join()).toContain('SVC_LOG_LEVEL: must be one of trace,')
})

test.each([
  ['api', apiSettings],
  ['app-proxy', appProxySettings],
  ['app-worker', appWorkerSettings],
  ['channel-worker', channelWorkerSettings],
  ['executor', executorSettings],
  ['gateway', gatewaySettings],
  ['merge-worker', mergeWorkerSettings],
  ['sandbox-worker', sandboxWorkerSettings],
  ['scheduler', schedulerSettings],
  ['standalone', Env],
])('each setting of %s is known', (_, { shape }) =>
  expect(judgeSettings({}).known).toEqual(expect.arrayContaining(Object.keys(shape))),
)
