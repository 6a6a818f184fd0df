import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventFrames, maxEventBytes } from './event-frames.ts'

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()

test('events are the same however their bytes come', () => {
  const event = fc.record({ data: fc.string({ unit: 'grapheme' }), end: fc.constantFrom('\n', '\r\n') })
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 8 }),
      fc.array(fc.nat({ max: 9 }), { minLength: 1 }),
      (events, cuts) => {
        const texts = events.map(({ data, end }) => `data: ${JSON.stringify(data)}${end}${end}`)
        const all = Buffer.from(texts.join(''))
        const frames = eventFrames()
        const seen: string[] = []
        for (let at = 0, n = 0; at < all.length; n += 1) {
          const end = at + 1 + (cuts[n % cuts.length] ?? 0)
          seen.push(...frames.add(all.subarray(at, end)).map(({ bytes }) => textOf(bytes)))
          at = end
        }
        expect(seen).toEqual(texts)
        expect(frames.isBetween()).toBe(true)
      },
    ),
  )
})

test('an event without an end is not kept without an end', () => {
  const frames = eventFrames()
  const piece = Buffer.alloc(1024 * 1024, 'x')
  expect(() => {
    for (let bytes = 0; bytes <= maxEventBytes; bytes += piece.length) frames.add(piece)
  }).toThrow('The answer of the model provider is too long')
})
