import { expect, test } from 'vitest'
import { parseTips } from './tips.ts'

const [a, b] = ['a'.repeat(40), 'b'.repeat(40)]

test('a branch a line', () => {
  expect(parseTips(`${a} main\n${b} work/on it`)).toEqual(
    new Map([
      ['main', a],
      ['work/on it', b],
    ]),
  )
  expect(parseTips('')).toEqual(new Map())
})
