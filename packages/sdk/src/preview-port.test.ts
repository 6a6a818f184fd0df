import { expect, test } from 'vitest'
import { isPreviewPort } from './preview-port.ts'

test.each([
  [1, true],
  [3000, true],
  [65_535, true],
  [65_536, false],
  [0, false],
  [-1, false],
  [80.5, false],
  [Number.NaN, false],
  [22, false],
  [4096, false],
  [8000, false],
])('%d: %s', (port, shown) => expect(isPreviewPort(port)).toBe(shown))
