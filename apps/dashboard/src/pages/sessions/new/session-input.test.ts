import { expect, test } from 'vitest'
import { sessionInput, waitsForRoom } from './session-input.ts'

const empty = { agent: '', model: ' ', harness: '', base: '', prompt: '\n' }

test('an empty field leaves the choice to the project', () => {
  expect(sessionInput(empty)).toEqual({})
  expect(
    sessionInput({ agent: 'helper ', model: 'a/b', harness: 'codex', base: 'next', prompt: ' Do it\n' }),
  ).toEqual({
    agent_name: 'helper',
    model: 'a/b',
    harness: 'codex',
    base_ref: 'next',
    initial_prompt: ' Do it\n',
  })
})

test('only a create at the cap waits for room', () => {
  const queued = { status: 'queued', command_id: 'c', session_id: 's' } as const
  expect(waitsForRoom({ ...queued, reason: 'session_limit' })).toBe(true)
  expect(waitsForRoom({ ...queued, reason: 'respond_async' })).toBe(false)
})
