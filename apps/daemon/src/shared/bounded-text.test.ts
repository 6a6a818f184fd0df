import { expect, test } from 'vitest'
import { createBoundedText } from './bounded-text.ts'

test('a text is whole up to its bound, and says how long it was beyond', () => {
  const text = createBoundedText(10)
  expect(text.add('four')).toBe('four')
  expect(text.add('four')).toBe('four')
  expect(text.read()).toBe('fourfour')
  expect(text.add('more')).toBe('mo')
  expect(text.add('more')).toBe('')
  expect(text.read()).toBe('fourfourmo\n[cut: 16 characters]')
})

test('a cut in the middle of a character leaves no half of it', () => {
  const text = createBoundedText(3)
  text.add('ab😀')
  expect(text.read()).toBe('ab\ufffd\n[cut: 4 characters]')
})
