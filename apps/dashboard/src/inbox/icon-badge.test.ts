import { expect, test } from 'vitest'
import { badged } from './icon-badge.ts'

const colors = { fill: 'red', ink: 'white' }

test('the number stands on the icon, and more than two digits are 99+', () => {
  expect(badged(3, colors)).toMatch(/^<svg[^]*<rect[^]*<circle[^>]*fill="red"\/><text[^>]*>3<\/text><\/svg>/)
  expect(badged(100, colors)).toContain('>99+<')
})
