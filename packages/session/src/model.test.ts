import { expect, test } from 'vitest'
import { isModelAvailable, resolveModel } from './model.ts'

const none = { session: null, agent: null, project: null, account: null }

test.each([
  [{}, 'auto', 'platform'],
  [{ account: 'd/d' }, 'd/d', 'account'],
  [{ account: 'd/d', project: 'c/c' }, 'c/c', 'project'],
  [{ account: 'd/d', project: 'c/c', agent: 'b/b' }, 'b/b', 'agent'],
  [{ account: 'd/d', project: 'c/c', agent: 'b/b', session: 'a/a' }, 'a/a', 'session'],
  [{ account: 'd/d', session: 'auto' }, 'auto', 'session'],
  [{ account: 'd/d', agent: '' }, 'd/d', 'account'],
] as const)('of %j it is %s, named by the %s', (choices, model, named_by) => {
  expect(resolveModel({ ...none, ...choices })).toEqual({ model, named_by })
})

test.each([
  ['auto', ['a/b'], [], true],
  ['a/b', ['a/b'], [], true],
  ['a/c', ['a/b'], [], false],
  ['a/c', null, [], true],
  ['a/c', ['a/b'], ['A_API_KEY'], true],
  ['b', ['a/b'], [], true],
  ['c', ['a/b'], ['C_API_KEY'], false],
  ['open-router/x/y', [], ['OPEN_ROUTER_API_KEY'], true],
] as const)('%s of %j with %j: %s', (model, offered, secret_names, available) => {
  expect(isModelAvailable(model, { offered, secret_names })).toBe(available)
})
