import { expect, test } from 'vitest'
import { partsOfMessage } from './message.ts'

test.each([
  ['Fix it\n\nBecause it broke.\nTwice.\n', 'Fix it', 'Because it broke.\nTwice.'],
  ['Fix it', 'Fix it', ''],
  ['\n\nLate', 'Late', ''],
  ['', '', ''],
])('%j has the title %j', (message, first, body) => {
  expect(partsOfMessage(message)).toEqual({ first, body })
})
