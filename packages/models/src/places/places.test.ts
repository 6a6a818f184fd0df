import { describe, expect, test } from 'vitest'
import { modelText } from '../names/model-name.ts'
import { nearestProviders } from './nearest.ts'
import { priceOf } from './price.ts'
import { allowlists, offeredDefaults } from './settings.ts'

const at = new Date('2026-06-01T00:00:00Z')

test('a nearer provider hides a farther one of its slug whole, and the platform’s own comes first', () => {
  const providers = [
    { scope: 'operator', slug: 'zeta', models: ['a'] },
    { scope: 'account', slug: 'acme', models: ['b'] },
    { scope: 'operator', slug: 'acme', models: ['c'] },
    { scope: 'project', slug: 'acme', models: ['d'] },
    { scope: 'operator', slug: 'svc', models: ['demo'] },
  ] as const
  expect(nearestProviders(providers)).toEqual([providers[4], providers[3], providers[0]])
})

const settings = {
  operator: { default_model: 'o/o', models: ['*'], agents: {} },
  project: { default_model: null, models: ['acme/*'], agents: { helper: { models: ['acme/m'] } } },
}

test('the lists of every place, of the agent and of the key hold, the farthest first', () => {
  const lists = allowlists(settings, { operator_models: null, agent_name: 'helper', key_models: ['acme/x'] })
  expect(lists).toEqual([
    { by: 'operator', models: null },
    { by: 'operator', models: ['*'] },
    { by: 'account', models: null },
    { by: 'project', models: ['acme/*'] },
    { by: 'agent', models: ['acme/m'] },
    { by: 'key', models: ['acme/x'] },
  ])
  const other = allowlists(settings, { operator_models: null, agent_name: 'other', key_models: null })
  expect(other.map(({ by }) => by)).not.toContain('agent')
})

test('defaults are of the session, the project, the account and the operator, as far as they name one that is offered', () => {
  const named = { session: 'auto', project: 'p/p', account: null, operator: 'e/e' }
  const offers = ['s', 'p', 'o', 'e'].map((provider) => ({ provider, models: null }))
  const textsOf = (...given: Parameters<typeof offeredDefaults>) => offeredDefaults(...given).map(modelText)
  expect(textsOf(settings, named, offers)).toEqual(['p/p', 'o/o'])
  expect(textsOf({}, { ...named, session: 's/s' }, offers)).toEqual(['s/s', 'p/p', 'e/e'])
  expect(textsOf({}, { ...named, session: 's/s' }, offers.slice(1))).toEqual(['p/p', 'e/e'])
})

describe('the price of a model', () => {
  const name = { provider: 'acme', id: 'm' }
  const kind = { kind: 'openai_compatible', base_url: 'https://models.acme.example' } as const
  const price = (scope: 'project' | 'account' | 'operator', input: number, model = 'acme/m') => ({
    ...{ scope, model },
    card: { input, output: 1 },
  })

  test('is of the nearest place that set one', () => {
    const prices = [price('operator', 3), price('account', 2), price('project', 1, 'acme/other')]
    expect(priceOf(name, kind, prices, at)).toEqual({ card: { input: 2, output: 1 }, source: 'account' })
    expect(priceOf(name, kind, [], at)).toBeNull()
  })

  test('of the platform’s own model is set by either of its names, and the scripted one is free', () => {
    const own = { provider: 'svc', id: 'demo' }
    const demo = { kind: 'demo', base_url: '' } as const
    expect(priceOf(own, demo, [], at)).toEqual({ card: { input: 0, output: 0 }, source: 'operator' })
    for (const model of ['demo', 'svc/demo'])
      expect(priceOf(own, demo, [price('operator', 4, model)], at)?.card.input).toBe(4)
  })
})
