import { expect, test } from 'vitest'
import { otherText } from './other-text.ts'

test('a hash that is of no text is answered with each that there is', () => {
  const texts = [
    { package: 'one', sha256: 'a' },
    { package: 'other', sha256: 'b' },
  ]
  expect(otherText('claude', texts).details).toEqual({
    sha256: 'a',
    texts: [
      { name: 'one', sha256: 'a' },
      { name: 'other', sha256: 'b' },
    ],
  })
  expect(otherText('codex', [])).toMatchObject({
    ...{ message: 'There is nothing to accept for codex', details: { sha256: null, texts: [] } },
  })
})
