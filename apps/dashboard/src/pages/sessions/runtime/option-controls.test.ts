import type { RuntimeOption } from '@svc/sdk'
import { expect, test } from 'vitest'
import { controlsOf } from './option-controls.ts'

const option = (id: string, more: Partial<RuntimeOption> = {}): RuntimeOption => ({
  ...{ id, name: id, type: 'select', category: null, description: null, currentValue: 'a' },
  options: [
    { value: 'a', name: 'A' },
    { value: 'b', name: '' },
  ],
  ...more,
})

test('mode, model and effort come first, the others as the agent lists them', () => {
  const options = [
    option('theme'),
    option('effort', { category: 'thought_level' }),
    option('llm', { category: 'model' }),
    option('other', { category: 'of_its_own' }),
    option('ask', { category: 'mode' }),
  ]
  expect(controlsOf(options).map(({ id }) => id)).toEqual(['ask', 'llm', 'effort', 'theme', 'other'])
})

test('an option has the names of its values, or the values themselves', () => {
  expect(controlsOf([option('mode', { name: '' })])).toEqual([
    {
      ...{ id: 'mode', label: 'mode', description: null, kind: 'select', value: 'a' },
      choices: [
        ['a', 'A'],
        ['b', 'b'],
      ],
    },
  ])
})

test('a value that is not listed is a choice as well', () => {
  const [control] = controlsOf([option('model', { currentValue: 'newest' })])
  expect(control).toMatchObject({
    value: 'newest',
    choices: [
      ['newest', 'newest'],
      ['a', 'A'],
      ['b', 'b'],
    ],
  })
})

test('a boolean is a switch, and one without values no control', () => {
  const options = [
    option('web', { type: 'boolean', currentValue: true, options: [] }),
    option('x', { options: [] }),
  ]
  expect(controlsOf(options)).toEqual([
    { id: 'web', label: 'web', description: null, kind: 'switch', value: true },
  ])
})
