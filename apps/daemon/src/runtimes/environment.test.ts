import { expect, test } from 'vitest'
import { createSessionEnvironment } from './environment.ts'

test('the agent gets the session’s variables but not the sandbox’s identity', () => {
  const environment = createSessionEnvironment(
    { SVC_SANDBOX_TOKEN: 'k', SVC_TOKEN: 'k', SVC_CLI_TOKEN: 'cli', SVC_EXECUTOR_TOKEN: 'cli', API_KEY: 'x' },
    { SVC_WORKSPACE: '/workspace' },
  )
  expect(environment.current()).toEqual({
    SVC_CLI_TOKEN: 'cli',
    SVC_EXECUTOR_TOKEN: 'cli',
    API_KEY: 'x',
    GIT_TERMINAL_PROMPT: '0',
    SVC_WORKSPACE: '/workspace',
  })
})

test('variables are set and removed', () => {
  const environment = createSessionEnvironment({ A: '1', B: '2' }, {})
  environment.change({ set: { C: '3', A: '9' }, unset: ['B'] })
  expect(environment.current()).toEqual({ A: '9', C: '3', GIT_TERMINAL_PROMPT: '0' })
})

test('new secrets take the place of the old ones, in the daemon’s own environment too', () => {
  const initial = {
    PATH: '/bin',
    OLD: '1',
    KEPT: '2',
    SVC_PROJECT_SECRET_NAMES: 'OLD,KEPT,PATH',
    SVC_PROJECT_SECRETS_REVISION: 'first',
  }
  const environment = createSessionEnvironment(initial, {})
  const change = { set: { KEPT: '3', NEW: '4', PATH: '/mine' }, unset: ['OLD', 'PATH'], revision: 'second' }
  expect(environment.change(change)).toBe(true)
  expect(environment.current()).toEqual({
    PATH: '/bin',
    KEPT: '3',
    NEW: '4',
    SVC_PROJECT_SECRET_NAMES: 'KEPT,NEW,PATH',
    SVC_PROJECT_SECRETS_REVISION: 'second',
    GIT_TERMINAL_PROMPT: '0',
  })
  expect(environment.secretNames()).toEqual(['KEPT', 'NEW', 'PATH'])
  expect(initial).not.toHaveProperty('OLD')
  expect(initial).toMatchObject({ KEPT: '3', NEW: '4', PATH: '/bin' })
  expect(environment.change({ ...change, set: { KEPT: 'ignored' } })).toBe(false)
  expect(environment.current()).toMatchObject({ KEPT: '3' })
})
