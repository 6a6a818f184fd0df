import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseMasterKeys } from './key-ring.ts'

const [hex, base64] = [randomBytes(32).toString('hex'), randomBytes(32).toString('base64')]

test('keys have ids, and come in hexadecimal or base64', () => {
  expect(parseMasterKeys(`operator=${hex}`)).toEqual({ operator: hex })
  expect(parseMasterKeys(`k-2025=${hex}, k_2026=${base64}`)).toEqual({ 'k-2025': hex, k_2026: base64 })
})

test.each([
  ['', 'key 1 of the list is not <id>=<key>'],
  [hex, 'key 1 of the list is not <id>=<key>'],
  [`=${hex}`, 'key 1 of the list is not <id>=<key>'],
  [`a.b=${hex}`, 'key 1 of the list is not <id>=<key>'],
  [`a=${hex},`, 'key 2 of the list is not <id>=<key>'],
  [`a=${hex.slice(2)}`, 'key 1 of the list, a, is not 32 bytes'],
  [`a=${hex},a=${base64}`, 'key 2 of the list has an id that is there already: a'],
])('%j is refused', (text, problem) => {
  expect(() => parseMasterKeys(text)).toThrow(problem)
  if (text !== '') expect(() => parseMasterKeys(text)).not.toThrow(hex.slice(2))
})
