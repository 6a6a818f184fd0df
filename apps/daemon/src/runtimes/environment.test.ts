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
