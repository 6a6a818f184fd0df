import { expect, test } from 'vitest'
import { claimedEnvironment } from './claimed-environment.ts'

const initial = {
  LANG: 'C.UTF-8',
  HOME: '/opt/svc/home',
  PATH: '/usr/local/bin:/usr/bin',
  SVC_API_URL: 'http://platform/v1',
  SVC_SANDBOX_ID: 'sbx_1',
  SVC_WARM_KEY: 'once',
  SVC_WARM_SECONDS: '60',
}

test('the session’s variables come, and what the pool was for goes', () => {
  expect(
    claimedEnvironment(initial, { SVC_SESSION_ID: 's', SECRET: 'x', SVC_API_URL: 'http://other/v1' }),
  ).toEqual({
    LANG: 'C.UTF-8',
    HOME: '/opt/svc/home',
    PATH: '/usr/local/bin:/usr/bin',
    SVC_API_URL: 'http://other/v1',
    SVC_SANDBOX_ID: 'sbx_1',
    SVC_SESSION_ID: 's',
    SECRET: 'x',
  })
})

test('a secret replaces nothing of the provider’s own', () => {
  const given = { HOME: '/tmp', PATH: '/evil', SVC_SANDBOX_ID: 'sbx_2' }
  expect(claimedEnvironment(initial, given)).toMatchObject({
    HOME: '/opt/svc/home',
    PATH: '/usr/local/bin:/usr/bin',
    SVC_SANDBOX_ID: 'sbx_1',
  })
})
