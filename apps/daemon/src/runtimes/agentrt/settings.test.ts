import { expect, test } from 'vitest'
import { qualifyModel } from '../gateway.ts'
import { gatewayModels } from '../gateway-models.ts'
import { modelRef } from '../opencode-wire/client.ts'
import { baseSettings, sessionSettings } from './settings.ts'

const models = gatewayModels({
  object: 'list',
  data: [
    { id: 'm1', context_window: 9000 },
    { id: 'vendor/m2', max_output_tokens: 5 },
  ],
})

test('sizes come from the list, else the usual ones', () => {
  expect(models).toEqual([
    { id: 'm1', context: 9000, output: 16_384 },
    { id: 'vendor/m2', context: 128_000, output: 5 },
  ])
})

test.each([
  ['m1', 'svc/m1'],
  ['vendor/m2', 'svc/vendor/m2'],
  ['svc/other', 'svc/other'],
  ['unlisted', 'svc/unlisted'],
  ['anthropic/x', 'anthropic/x'],
])('%s is the model %s', (model, qualified) => {
  expect(qualifyModel(model, models)).toBe(qualified)
})

test('a model is split at its first slash', () => {
  expect(modelRef('svc/vendor/m2', 'svc')).toEqual({ providerID: 'svc', modelID: 'vendor/m2' })
  expect(modelRef('plain', 'svc')).toEqual({ providerID: 'svc', modelID: 'plain' })
})

const given = { instructions: '/home/told.md', skills: null, fences: {}, connectors: false }

test('the settings name the key and never hold it', () => {
  const llm = { base_url: 'http://gw/v1' }
  const settings = sessionSettings({ llm, models, model: undefined, ...given })
  expect(settings).toMatchObject({
    small_model: 'svc/m1',
    provider: { svc: { options: { baseURL: 'http://gw/v1', apiKey: '{env:SVC_LLM_API_KEY}' } } },
  })
  expect(settings).not.toHaveProperty('model')
  expect(baseSettings(models)).toMatchObject({
    model: 'svc/m1',
    permission: { bash: 'allow', edit: 'allow' },
  })
})

test('without a gateway no provider is set', () => {
  expect(sessionSettings({ llm: null, models: [], model: 'anthropic/x', ...given })).toEqual({
    autoupdate: false,
    share: 'disabled',
    instructions: ['/home/told.md'],
    model: 'anthropic/x',
  })
})

test('an agent with a list of skills is refused every other one', () => {
  const parts = { llm: null, models: [], model: undefined, ...given }
  expect(sessionSettings({ ...parts, skills: ['review'] })).toMatchObject({
    permission: { skill: { '*': 'deny', review: 'allow' } },
    agent: {},
  })
  expect(sessionSettings({ ...parts, skills: ['review'], fences: { coder: 'skill*' } })).toMatchObject({
    agent: { coder: { permission: { 'skill*': { '*': 'deny', review: 'allow' } } } },
  })
})

test('the connectors of a session are a server of the platform, and its token is not in the settings', () => {
  const parts = { llm: null, models: [], model: undefined, ...given, connectors: true }
  expect(sessionSettings(parts)).toMatchObject({
    mcp: {
      'svc-executor': {
        type: 'remote',
        url: '{env:SVC_API_URL}/executor/mcp',
        headers: { Authorization: 'Bearer {env:SVC_EXECUTOR_TOKEN}' },
      },
    },
  })
})
