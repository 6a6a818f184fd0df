import { expect, test } from 'vitest'
import { visibleText } from './visible-text.ts'

test.each([
  ['echo \u202etxt.exe\u202c', 'echo ⟨U+202E⟩txt.exe⟨U+202C⟩'],
  ['a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
  ['שלום, مرحبا', 'שלום, مرحبا'],
  ['plain', 'plain'],
])('%j is seen as it is', (text, seen) => {
  expect(visibleText(text)).toBe(seen)
})
