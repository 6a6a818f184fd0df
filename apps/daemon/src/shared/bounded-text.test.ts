import { expect, test } from 'vitest'
import { createBoundedText } from './bounded-text.ts'

test('a text is whole up to its bound, and says how long it was beyond', () => {
  const text = createBoundedText(8)
  text.add('four')
  text.add('four')
  expect(text.read()).toBe('fourfour')
  text.add('more')
  expect(text.read()).toBe('fourfour\n[cut: 12 characters]')
})

test('a cut in the middle of a character leaves no half of it', () => {
  const text = createBoundedText(3)
  text.add('ab😀')
  expect(text.read()).toBe('ab\ufffd\n[cut: 4 characters]')
})
