import { describe, expect, test } from 'vitest'
import { isModelAvailable, resolveModel } from './model.ts'
import {
  fireEvents,
  fireStatusAfter,
  fireStatuses,
  fireStatusesAccepting,
  owedStatuses,
} from './transitions.ts'

const accepted = [
  ['pending', 'fire', 'fired'],
  ['pending', 'queue', 'queued'],
  ['pending', 'skip', 'skipped'],
  ['pending', 'fail', 'failed'],
  ['queued', 'fire', 'fired'],
  ['queued', 'queue', 'queued'],
  ['queued', 'skip', 'skipped'],
  ['queued', 'fail', 'failed'],
] as const

describe.each(fireStatuses)('a %s fire', (status) => {
  test.each(fireEvents)('and %s', (event) => {
    const to = accepted.find(([from, name]) => from === status && name === event)?.[2] ?? null
    expect(fireStatusAfter(status, event)).toBe(to)
    expect(fireStatusesAccepting(event).includes(status)).toBe(to !== null)
  })
})

test('only pending and queued fires are owed a session', () =>
  expect(owedStatuses).toEqual(['pending', 'queued']))

test('the model is the one that is named nearest', () => {
  const none = { trigger: null, agent: null, project: null, account: null }
  expect(resolveModel(none)).toBe('auto')
  expect(resolveModel({ ...none, account: 'd/d' })).toBe('d/d')
  expect(resolveModel({ ...none, account: 'd/d', project: 'c/c' })).toBe('c/c')
  expect(resolveModel({ trigger: 'a/a', agent: 'b/b', project: 'c/c', account: 'd/d' })).toBe('a/a')
})

test.each([
  ['auto', ['a/b'], [], true],
  ['a/b', ['a/b'], [], true],
  ['a/c', ['a/b'], [], false],
  ['a/c', null, [], true],
  ['a/c', ['a/b'], ['A_API_KEY'], true],
  ['open-router/x/y', [], ['OPEN_ROUTER_API_KEY'], true],
] as const)('%s of %j with %j: %s', (model, offered, secret_names, available) => {
  expect(isModelAvailable(model, { offered, secret_names })).toBe(available)
})
