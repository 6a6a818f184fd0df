import { expect, test } from 'vitest'
import { afterSent, emptyDraft, nextAttempt } from './draft.ts'

const keys = () => {
  let count = 0
  return () => `key-${++count}`
}

test('a retry of the same words has the same key, other words have another one', () => {
  const newKey = keys()
  const first = nextAttempt({ ...emptyDraft, text: 'hello' }, 'hello', newKey)
  expect(first).toEqual({ says: 'hello', key: 'key-1' })
  const lost = { text: 'hello', attempt: first }
  expect(nextAttempt(lost, 'hello', newKey)).toEqual(first)
  expect(nextAttempt(lost, 'hello!', newKey).key).toBe('key-2')
})

test('what was sent is cleared with its key, so that saying it again sends it again', () => {
  const newKey = keys()
  const attempt = nextAttempt(emptyDraft, 'again', newKey)
  const after = afterSent({ text: 'again', attempt }, 'again')
  expect(after).toEqual(emptyDraft)
  expect(nextAttempt(after, 'again', newKey).key).not.toBe(attempt.key)
})

test('what was typed while it was sent stays', () => {
  expect(afterSent({ text: 'hello, and more', attempt: null }, 'hello').text).toBe('hello, and more')
})
