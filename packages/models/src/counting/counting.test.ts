import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outputCounter, outputTokens } from './output-counter.ts'
import { loadTokenizer } from './tokenizer.ts'

const piece = (text: string) => ({ output: [text], output_tokens: null })

describe('the tokenizer', () => {
  test('counts as o200k does, in any script', async () => {
    const count = await loadTokenizer()
    expect(count('hello world')).toBe(2)
    expect(count('')).toBe(0)
    expect(count('<|endoftext|>')).toBeGreaterThan(1)
    expect(outputTokens(['hello world', 'hello world'])).toBe(4)
  })

  test('counts the end of a very long text by its bytes', async () => {
    const count = await loadTokenizer()
    const text = 'word '.repeat(6_600)
    expect(count(text + 'x'.repeat(4_000_000))).toBeGreaterThan(990_000)
    expect(count(text + 'x'.repeat(4_000_000))).toBeLessThan(1_010_000)
  })

  test('makes at most one token of a byte', async () => {
    const count = await loadTokenizer()
    const unit = fc.constantFrom('a', ' ', '\n', '{', 'ü', '漢', '🦊', '0', '\u0000')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300 }), (text) => {
        expect(count(text)).toBeLessThanOrEqual(Buffer.byteLength(text))
      }),
    )
  })
})

describe('the output of a stream', () => {
  test('is counted together, however it is cut to pieces', async () => {
    const count = await loadTokenizer()
    const text = 'The quick brown fox jumps over the lazy dog, and nothing more. '.repeat(200)
    const counter = outputCounter(count)
    for (const letter of text) counter.add(piece(letter))
    expect(counter.tokens()).toBeGreaterThanOrEqual(count(text))
    expect(counter.tokens()).toBeLessThan(count(text) * 1.02)
  })

  test('is the provider’s own count where it gives one, and what came after', () => {
    const counter = outputCounter((text) => text.length)
    counter.add(piece('12345'))
    counter.add({ output: [], output_tokens: 2 })
    expect(counter.tokens()).toBe(2)
    counter.add(piece('678'))
    expect(counter.tokens()).toBe(5)
  })

  test('is compared with a limit by its bytes as long as they answer', () => {
    let counts = 0
    const counter = outputCounter((text) => {
      counts++
      return Math.ceil(text.length / 4)
    })
    for (let at = 0; at < 100; at++) {
      counter.add(piece('abcd'))
      expect(counter.isAbove(400)).toBe(false)
    }
    expect(counts).toBe(0)
    expect(counter.isAbove(99)).toBe(true)
    expect(counter.isAbove(100)).toBe(false)
  })
})
