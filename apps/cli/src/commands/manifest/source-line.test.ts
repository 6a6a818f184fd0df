import { describe, expect, it } from 'vitest'
import { sourceLine } from './source-line.ts'

describe('a source line with its caret', () => {
  it.each([
    ['a: 1\nb: two\n', 2, 4, 'b: two', '   '],
    ['a: 1', 1, 1, 'a: 1', ''],
    ['\ta: 1', 1, 2, '\ta: 1', '\t'],
    ['a: 1\r\nb: 2\r\n', 2, 4, 'b: 2', '   '],
    ['\ufeffa: 1', 1, 4, 'a: 1', '   '],
    ['日本: 1', 1, 5, '日本: 1', '      '],
    ['😀: x', 1, 5, '😀: x', '    '],
    ['a: \u001b[31m', 1, 4, 'a: \ufffd[31m', '   '],
    ['a:', 1, 9, 'a:', '  '],
  ])('%j at %i:%i', (text, line, column, shown, margin) => {
    expect(sourceLine(text, line, column)).toEqual({ text: shown, margin })
  })

  it('shows the part of a long line that matters', () => {
    const text = `${'a'.repeat(500)}X${'b'.repeat(500)}`
    const { text: shown, margin } = sourceLine(text, 1, 501) ?? { text: '', margin: '' }
    expect(shown.length).toBeLessThan(110)
    expect(shown[margin.length]).toBe('X')
    expect(shown).toMatch(/^….*…$/)
    expect(sourceLine(`X${'b'.repeat(500)}`, 1, 1)).toMatchObject({
      text: expect.stringMatching(/^Xb+…$/),
      margin: '',
    })
  })

  it('has none where there is no line', () => {
    expect(sourceLine('a', 5, 1)).toBeUndefined()
  })
})
