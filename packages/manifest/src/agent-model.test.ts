import { expect, test } from 'vitest'
import { agentModel } from './agent-model.ts'

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
])('%j names %s', (text, model) => {
  expect(agentModel(text)).toBe(model)
})
