import { expect, test } from 'vitest'
import { sessionTitle } from './title.ts'

const session_id = 'd2fff434-0000-4000-8000-000000000000'
const title = (first_prompt: string | null, name: string | null = null) =>
  sessionTitle({ session_id, name, first_prompt })

test.each([
  ['Add gift cards\nand tests', 'Add gift cards'],
  ['\n\n## **Fix** the `total` of [orders](https://x.invalid)\n', 'Fix the total of orders'],
  ['```ts\nconst a = 1\n```\nWhy does this fail?', 'Why does this fail?'],
  ['- [ ] write *one* test', 'write one test'],
  ['> quoted snake_case_name stays', 'quoted snake_case_name stays'],
  ['x'.repeat(90), `${'x'.repeat(79)}…`],
  ['```\nonly code', 'Session d2fff434'],
  [null, 'Session d2fff434'],
])('%j', (prompt, expected) => {
  expect(title(prompt)).toBe(expected)
})

test('a name goes before the prompt', () => {
  expect(title('Add gift cards', 'Gifts')).toBe('Gifts')
})
