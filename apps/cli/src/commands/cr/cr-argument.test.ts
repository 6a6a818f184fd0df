import { describe, expect, it } from 'vitest'
import { crId } from './cr-argument.ts'

const id = '3f1c2f4e-8a57-4a55-9d3c-1f2e3d4c5b6a'

describe('a <cr> argument', () => {
  it.each([
    ['3', '3'],
    ['#3', '3'],
    ['#120', '120'],
    [id, id],
  ])('%s -> %s', (given, expected) => expect(crId(given)).toBe(expected))

  it.each(['0', '#', '', '3.5', '-1', '##3', 'three', '1234567890', '../3'])('refuses %j', (given) => {
    expect(() => crId(given)).toThrow('is not a change request')
  })
})
