import { expect, test } from 'vitest'
import { harnessLaunch } from './launch.ts'
import { sessionMeta } from './session-meta.ts'

const settings = {
  ...{ command: null, dialect: 'messages' as const, env: {}, model_env: [] },
  ...{ mode: null, options: {}, variant: null },
}
const launchOf = (harness: string) =>
  harnessLaunch({ harness, version: '1.0.0', auth: 'gateway', settings }, '/at')

test('variables that lead a program to its model are given with its session, as it has them or empty', () => {
  const env = { ANTHROPIC_BASE_URL: 'http://gateway/"quoted"', HTTPS_PROXY: 'http://egress' }
  expect(sessionMeta(launchOf('claude'), env)).toMatchObject({
    _meta: {
      claudeCode: {
        options: {
          settings: {
            env: { ANTHROPIC_BASE_URL: env.ANTHROPIC_BASE_URL, HTTPS_PROXY: 'http://egress', HTTP_PROXY: '' },
          },
        },
      },
    },
  })
})

test('a harness that needs none is given none', () => {
  expect(sessionMeta(launchOf('codex'), {})).toEqual({})
  expect(sessionMeta(launchOf('of-the-repository'), {})).toEqual({})
})
