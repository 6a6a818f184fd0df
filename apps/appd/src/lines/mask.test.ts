import { describe, expect, it } from 'vitest'
import { createMask } from './mask.ts'

describe('createMask', () => {
  const mask = createMask({ KEY: 'abc', LONG: 'abcdef', PEM: 'first line\nsecond' })
  it.each([
    ['takes the value that reaches furthest', 'x abcdef abc', 100, 'x [LONG] [KEY]', false],
    ['hides each line of a value', 'second', 100, '[PEM]', false],
    ['shows a value at the limit by its name', '0123abcdef-', 6, '0123[LONG]', true],
    ['shows nothing from behind the limit', 'abcabcabc----', 9, '[KEY][KEY][KEY]', true],
    ['cuts', '0123456789', 4, '0123', true],
    ['leaves the rest alone', 'nothing', 100, 'nothing', false],
  ])('%s', (_, text, limit, shown, cut) => {
    expect(mask(text, limit)).toEqual({ text: shown, cut })
  })

  it('takes values as they are, not as patterns', () => {
    expect(createMask({ A: '.*', B: '' })('x.*y', 100).text).toBe('x[A]y')
  })
})
