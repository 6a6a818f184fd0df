import { expect, test } from 'vitest'
import { agentrtStandby } from '../agentrt/standby.ts'
import { sameAtStart } from './standby.ts'

const { readsAtStart } = agentrtStandby

const before = {
  HOME: '/home',
  PATH: '/bin',
  OPENCODE_CONFIG_DIR: '/workspace/.svc/agentrt',
  SVC_API_URL: 'a',
}

test.each([
  ['what a session brings may come late', { SECRET: 'x', SVC_API_URL: 'b', SVC_LLM_API_KEY: 'k' }, true],
  ['so may the settings of the session', { OPENCODE_CONFIG_CONTENT: '{}' }, true],
  ['another folder of settings may not', { OPENCODE_CONFIG_DIR: '/workspace/tools' }, false],
  ['nor a list of models', { OPENCODE_MODELS_PATH: '/models.json' }, false],
  ['nor other programs', { PATH: '/opt/bin' }, false],
  ['nor certificates', { NODE_EXTRA_CA_CERTS: '/ca.pem' }, false],
])('%s', (_what, more, same) => {
  expect(sameAtStart(before, { ...before, ...more }, readsAtStart)).toBe(same)
})

test('what is missing counts as another', () => {
  expect(sameAtStart({ ...before, OPENCODE_MODELS_PATH: '/models.json' }, before, readsAtStart)).toBe(false)
})
