import { expect, test } from 'vitest'
import { accept, begin, finish, freshState, type SessionState } from './queue.ts'

const prompt = (prompt_id: string) => ({ prompt_id, text: `do ${prompt_id}` })
const withPrompts = (...ids: string[]): SessionState =>
  ids.reduce((state, id) => accept(state, prompt(id)), freshState)

function begun(state: SessionState): SessionState {
  const next = begin(state)
  if (!next) throw new Error('nothing to begin')
  return next.state
}

test('prompts are worked off in the order of their arrival', () => {
  const first = begin(withPrompts('a', 'b'))
  expect(first?.prompt).toEqual(prompt('a'))
  expect(begin(finish(first?.state ?? freshState, true))?.prompt).toEqual(prompt('b'))
})

test('a repeated id changes nothing: waiting, in work, or done', () => {
  const waiting = withPrompts('a')
  expect(accept(waiting, prompt('a'))).toBe(waiting)
  const working = begun(waiting)
  expect(accept(working, prompt('a'))).toBe(working)
  const done = finish(working, true)
  expect(accept(done, { prompt_id: 'a', text: 'other words' })).toBe(done)
})

test('one prompt is in work at a time', () => {
  expect(begin(begun(withPrompts('a', 'b')))).toBeNull()
  expect(begin(freshState)).toBeNull()
})

test('a prompt in work is no longer in the queue, so that a crash does not run it twice', () => {
  expect(begun(withPrompts('a', 'b'))).toMatchObject({ in_flight: 'a', queue: [prompt('b')] })
})
