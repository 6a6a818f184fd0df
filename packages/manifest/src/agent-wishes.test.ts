import { expect, test } from 'vitest'
import { agentWishes } from './agent-wishes.ts'

test.each([
  ['---\nmodel: acme/great\n---\nBe kind.', 'acme/great'],
  ['---\nmodel: " acme/great "\n---\n', 'acme/great'],
  ['---\ndescription: x\n---\nmodel: acme/great', null],
  ['Be kind.', null],
  ['---\nmodel: 3\n---\n', null],
  ['---\nmodel: ""\n---\n', null],
  ['---\nmodel: [\n---\n', null],
  ['---\nmodel: acme/great', null],
  ['---\n- model\n---\n', null],
])('%j names the model %s', (text, model) => {
  expect(agentWishes(text).model).toBe(model)
})

test('a harness and a variant are read beside it', () => {
  expect(agentWishes('---\nharness: codex\nvariant: high\n---\n')).toEqual({
    model: null,
    variant: 'high',
    harness: 'codex',
  })
})
