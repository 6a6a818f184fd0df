import { expect, test } from 'vitest'
import { readBeginning } from './upstream-answer.ts'

test('an answer without an end is read no further than its beginning', async () => {
  let pieces = 0
  async function* endless() {
    for (;;) {
      pieces += 1
      yield Buffer.alloc(1000, 'x')
    }
  }
  expect(await readBeginning(endless())).toBe('x'.repeat(64 * 1024))
  expect(pieces).toBe(66)
})
