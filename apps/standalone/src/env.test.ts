import { SettingsError } from '@svc/boot'
import { providerNames } from '@svc/sandbox'
import { expect, test } from 'vitest'
import { readEnv } from './env.ts'

function problemsOf(source: NodeJS.ProcessEnv): readonly string[] {
  try {
    readEnv(source)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
}

test('nothing has to be set', () => {
  expect(readEnv({})).toMatchObject({ SVC_PORT: 7700, SVC_HOST: '127.0.0.1', SVC_SANDBOX_PROVIDER: 'auto' })
})

test('the settings of the model are given together, so that none is left unused in silence', () => {
  const url = { SVC_MODEL_BASE_URL: 'https://host/v1' }
  expect(problemsOf({ ...url, SVC_MODEL: 'm' })).toEqual([])
  expect(problemsOf(url)[0]).toContain('SVC_MODEL: is needed when SVC_MODEL_BASE_URL is set')
  expect(problemsOf({ SVC_MODEL: 'm' })[0]).toContain('SVC_MODEL_BASE_URL: is needed when SVC_MODEL')
  expect(problemsOf({ SVC_MODEL_API_KEY: 'sk-hidden' })[0]).toContain('SVC_MODEL_BASE_URL: is needed')
  expect(problemsOf({ SVC_MODEL_API_KEY: 'sk-hidden' }).join()).not.toContain('sk-hidden')
})

test('previews have a host that the platform is neither at nor below', () => {
  const platform = { SVC_PUBLIC_URL: 'https://svc.example.com' }
  expect(problemsOf({ ...platform, SVC_PREVIEW_HOST: 'example.com' })).toEqual([
    expect.stringContaining('SVC_PREVIEW_HOST: must not be the platform'),
  ])
  expect(problemsOf({ ...platform, SVC_PREVIEW_HOST: 'preview.example.net' })).toEqual([])
})

test('pods need an address to call and a deployment that is nobody else’s', () => {
  const pods = { SVC_SANDBOX_PROVIDER: 'docker,kubernetes' }
  expect(problemsOf(pods)).toEqual([
    expect.stringContaining('SVC_PUBLIC_URL: is needed with kubernetes'),
    expect.stringContaining('SVC_DEPLOYMENT: is needed with kubernetes'),
  ])
  const whole = { ...pods, SVC_PUBLIC_URL: 'https://svc.example', SVC_DEPLOYMENT: 'team-a' }
  expect(problemsOf(whole)).toEqual([])
})

test.each([
  ['SVC_PORT', 'abc', 'SVC_PORT: must be a number (given: "abc")'],
  [
    'SVC_SANDBOX_PROVIDER',
    'podman',
    `must be one of ${providerNames.join(', ')}, or several separated by commas (given: "podman")`,
  ],
  ['DATABASE_URL', 'mysql://u:pass@h/db', 'must be a postgres:// or postgresql:// address'],
  ['REDIS_URL', 'http://h', 'must be a redis:// or rediss:// address'],
  ['OPENAPI_PUBLIC_DOCS', 'maybe', 'must be one of true, false (given: "maybe")'],
])('%s=%s is refused with what is expected', (name, value, words) => {
  const [problem, ...others] = problemsOf({ [name]: value })
  expect(problem).toContain(words)
  expect(problem).not.toContain(':pass@')
  expect(others).toEqual([])
})
