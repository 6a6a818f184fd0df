import { expect, test } from 'vitest'
import { firstLine } from './session-title.ts'

test.each([
  ['Add gift cards\nand more', 'Add gift cards'],
  ['## **Speed** up `search`', 'Speed up search'],
  ['```svc-script\n[]\n```\nThen say so', 'Then say so'],
  ['Do this:\n```\nx\n```', 'Do this:'],
  ['```\nonly code', null],
  ['x'.repeat(90), `${'x'.repeat(79)}…`],
])('%j is called %j', (text, title) => {
  expect(firstLine(text)).toBe(title)
})
