import { expect, test } from 'vitest'
import { frameOf } from './frame.ts'

const textOf = (...given: Parameters<typeof frameOf>) => new TextDecoder().decode(frameOf(...given))

test('an event is its type, its JSON in one line, and the number to resume from', () => {
  const event = { type: 'message', text: 'two\nlines' }
  expect(textOf({ id: 7, event })).toBe(
    'event: message\ndata: {"type":"message","text":"two\\nlines"}\nid: 7\n\n',
  )
})

test('what is not stored has no number', () => {
  expect(textOf({ id: null, event: { type: 'hello' } })).toBe('event: hello\ndata: {"type":"hello"}\n\n')
})

test('those who are told the same event share its bytes', () => {
  const event = { type: 'message' }
  expect(frameOf({ id: 1, event })).toBe(frameOf({ id: 1, event }))
  expect(frameOf({ id: 1, event: { ...event } })).not.toBe(frameOf({ id: 1, event }))
})
