import { expect, test } from 'vitest'
import { inParts } from './in-parts.ts'

async function* streamOf(...texts: string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

test.each([
  { sent: [], parts: [] },
  { sent: [''], parts: [] },
  { sent: ['ab'], parts: ['ab'] },
  { sent: ['abcd'], parts: ['abcd'] },
  { sent: ['ab', 'cde', 'fghijklmn'], parts: ['abcd', 'efgh', 'ijkl', 'mn'] },
])('a stream of $sent is cut into $parts', async ({ sent, parts }) => {
  const cut: string[] = []
  for await (const part of inParts(streamOf(...sent), 4)) cut.push(Buffer.from(part).toString())
  expect(cut).toEqual(parts)
})
