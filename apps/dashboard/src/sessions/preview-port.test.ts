import { expect, test } from 'vitest'
import { isPreviewPort } from './preview-port.ts'

test.each([
  ['3000', true],
  ['65535', true],
  ['65536', false],
  ['0', false],
  ['22', false],
  ['4096', false],
  ['8000', false],
  ['3000; rm -rf /', false],
  ['', false],
])('%j: %s', (text, shown) => expect(isPreviewPort(text)).toBe(shown))
