import { expect, test } from 'vitest'
import { plainOutput, tailOf } from './plain-output.ts'

test('colours, titles and written-over lines are taken out', () => {
  expect(plainOutput('\x1b[31mred\x1b[0m and \x1b]0;title\x07plain')).toBe('red and plain')
  expect(plainOutput('10 %\r100 %\ndone\r\n')).toBe('100 %\ndone\n')
  expect(plainOutput('a\x00b\tc')).toBe('ab\tc')
  expect(plainOutput('rm \u202etxt.a')).toBe('rm ⟨U+202E⟩txt.a')
})

test('of a very long output the end is shown', () => {
  const { text, cut } = tailOf(`${'x'.repeat(70_000)}end`)
  expect(text.endsWith('end')).toBe(true)
  expect(cut).toBeGreaterThan(0)
})
