import { expect, test } from 'vitest'
import { editOf, outcomeOf, subjectOf } from './tool-words.ts'

test('a program that ended with another code than 0 has failed, whatever its status says', () => {
  expect(outcomeOf({ status: 'completed', exit_code: 1 })).toBe('failed')
  expect(outcomeOf({ status: 'completed', exit_code: 0 })).toBe('completed')
  expect(outcomeOf({ status: 'completed', exit_code: null })).toBe('completed')
  expect(outcomeOf({ status: 'error', exit_code: null })).toBe('failed')
  expect(outcomeOf({ status: 'running', exit_code: null })).toBe('running')
})

test('the subject is the whole command, the file, else the title', () => {
  const command = 'for i in 1 2; do echo $i; done && git push'
  expect(subjectOf({ input: { command, description: 'Counts' }, title: 'Counts' })).toBe(command)
  expect(subjectOf({ input: { filePath: 'a.ts' }, title: null })).toBe('a.ts')
  expect(subjectOf({ input: null, title: 'Thinks' })).toBe('Thinks')
})

test('an edit has both texts, a new file only the one', () => {
  expect(editOf({ tool: 'edit', input: { filePath: 'a', oldString: 'x', newString: 'y' } })).toEqual({
    path: 'a',
    before: 'x',
    after: 'y',
  })
  expect(editOf({ tool: 'write', input: { filePath: 'a', content: 'z' } })).toMatchObject({
    before: '',
    after: 'z',
  })
  expect(editOf({ tool: 'read', input: { filePath: 'a' } })).toBeNull()
})
