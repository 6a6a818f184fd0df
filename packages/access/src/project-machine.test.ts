import { expect, test } from 'vitest'
import { projectMachine } from './project-machine.ts'

test('an active project is archived, for ever', () => {
  expect([projectMachine.to('archive'), projectMachine.from('archive')]).toEqual(['archived', ['active']])
  expect(projectMachine.events).toEqual(['archive'])
})
