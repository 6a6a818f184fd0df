import { expect, test } from 'vitest'
import { isForeignWrite } from './foreign-write.ts'

const own = 'http://a.localhost:1'

test.each([
  ['GET', { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }, false],
  ['GET', { upgrade: 'websocket', origin: own }, false],
  ['GET', { upgrade: 'websocket' }, false],
  ['GET', { upgrade: 'websocket', origin: 'http://b.localhost:1' }, true],
  ['GET', { upgrade: 'websocket', origin: 'null' }, true],
  ['GET', { upgrade: 'websocket', origin: own, 'sec-fetch-site': 'cross-site' }, true],
  ['POST', {}, false],
  ['POST', { origin: own }, false],
  ['POST', { origin: 'null', 'sec-fetch-site': 'same-origin' }, false],
  ['POST', { 'sec-fetch-site': 'none' }, false],
  ['POST', { origin: 'null' }, true],
  ['POST', { origin: 'http://a.localhost:2' }, true],
  ['POST', { origin: 'http://localhost:1' }, true],
  ['POST', { 'sec-fetch-site': 'same-site' }, true],
  ['DELETE', { 'sec-fetch-site': 'cross-site' }, true],
  ['PUT', { origin: own, 'sec-fetch-site': 'cross-site' }, true],
])('%s with %j is a write of another origin: %s', (method, headers, foreign) => {
  expect(isForeignWrite({ method, headers }, own)).toBe(foreign)
})
