import { expect, test } from 'vitest'
import { inputHint, matchingCommands, typedCommand, withCommand } from './command-completion.ts'

test.each([
  ['/', 1, ''],
  ['/in', 3, 'in'],
  ['/in', 2, 'i'],
  ['/in it', 3, 'in'],
  ['/in it', 6, null],
  ['/in', 0, null],
  ['see /in', 7, null],
  ['', 0, null],
  ['/in\n', 4, null],
])('in %j at %i the typed part is %j', (text, caret, typed) => {
  expect(typedCommand(text, caret)).toBe(typed)
})

test('commands that begin with the typed part come first, in the order of the agent', () => {
  const commands = ['review', 'init', 'preview', 'Rename'].map((name) => ({ name, description: '' }))
  const names = (typed: string) => matchingCommands(commands, typed).map(({ name }) => name)
  expect(names('')).toEqual(['review', 'init', 'preview', 'Rename'])
  expect(names('re')).toEqual(['review', 'Rename', 'preview'])
  expect(names('VIEW')).toEqual(['review', 'preview'])
  expect(names('none')).toEqual([])
})

test('a command takes the place of its typed part, and leaves the rest', () => {
  expect(withCommand('/in', 'init')).toEqual({ text: '/init ', caret: 6 })
  expect(withCommand('/re the last one', 'review')).toEqual({ text: '/review the last one', caret: 8 })
})

test('a hint is a text that the agent gives', () => {
  expect(inputHint({ name: 'a', description: '', input: { hint: 'what to look for' } })).toBe(
    'what to look for',
  )
  expect(inputHint({ name: 'a', description: '', input: { hint: 7 } })).toBeNull()
  expect(inputHint({ name: 'a', description: '', input: null })).toBeNull()
})
