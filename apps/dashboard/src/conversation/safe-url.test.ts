import { expect, test } from 'vitest'
import { safeUrl } from './safe-url.ts'

test.each(['https://a.example/b', 'http://a.example', 'mailto:a@b.example'])('%s is a link', (url) => {
  expect(safeUrl(url)).toBe(url)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  '/local',
  '',
])('%j is none', (url) => {
  expect(safeUrl(url)).toBe('')
})
