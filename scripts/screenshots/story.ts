import type { Step, Story } from './model.ts'

const bash = (command: string, say = ''): Step => ({
  say,
  tool: 'bash',
  input: { command, description: 'A step of the work' },
})
const write = (filePath: string, content: string, say = ''): Step => ({
  say,
  tool: 'write',
  input: { filePath, content },
})
const edit = (filePath: string, oldString: string, newString: string, say = ''): Step => ({
  say,
  tool: 'edit',
  input: { filePath, oldString, newString },
})
const todo = (...entries: readonly (readonly [status: string, content: string])[]): Step => ({
  tool: 'todowrite',
  input: {
    todos: entries.map(([status, content], index) => ({
      id: String(index + 1),
      content,
      status,
      priority: 'medium',
    })),
  },
})

const discounts = `/** Discounts by code, in percent of the sum of the cart. */
const codes = new Map([
  ['WELCOME10', 10],
  ['FRIENDS25', 25],
])

/** The discount of a code in cents; a code that is not known takes nothing off. */
export function discountOf(code, sum) {
  const percent = codes.get(code.trim().toUpperCase()) ?? 0
  return Math.round((sum * percent) / 100)
}
`

const discountsTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discountOf } from '../src/discounts.js'

test('a code that is known takes its percent off', () => {
  assert.equal(discountOf('WELCOME10', 2_000), 200)
})

test('a code is read whatever its case, and without the spaces around it', () => {
  assert.equal(discountOf(' friends25 ', 1_000), 250)
})

test('a code that is not known takes nothing off', () => {
  assert.equal(discountOf('NONE', 2_000), 0)
})
`

const description = `Codes take a percentage off the sum of the cart, **before** shipping is added.

| Code | Off |
| --- | --- |
| \`WELCOME10\` | 10 % |
| \`FRIENDS25\` | 25 % |

- A code is read whatever its case.
- A code that is not known takes nothing off, and is no error.
`

export const prompts = {
  discounts: 'Add discounts by code to the checkout',
  cards: 'Add gift cards as a way to pay',
  search: 'Speed up the search of products',
  currency: 'Round prices the way each currency does',
  receipts: 'Send a receipt after each payment',
} as const

/** The work of each session in the pictures, by the prompt that it began with. */
export const story: Story = {
  'Read the code': [
    {
      say: 'An empty code or one with spaces reaches `discountOf` unchanged. I trim it and read it in capitals now, and a test holds that.',
    },
  ],
  [prompts.discounts]: [
    {
      ...todo(
        ['in_progress', 'Find where the total is computed'],
        ['pending', 'Discounts by code, with tests'],
        ['pending', 'Open a change request'],
      ),
      say: 'I look at how the total is computed first.',
    },
    bash('ls src test && cat src/total.js'),
    write(
      'src/discounts.js',
      discounts,
      'The total is a sum over the lines, so a discount belongs between that sum and shipping. I add it as a function of its own:',
    ),
    write('test/discounts.test.js', discountsTest),
    edit(
      'src/total.js',
      'export function totalOf(cart) {\n  return sumOf(cart) + shippingOf(cart)\n}',
      "export function totalOf(cart, code = '') {\n  const sum = sumOf(cart)\n  return sum - discountOf(code, sum) + shippingOf(cart)\n}",
    ),
    bash('node --test', 'Now the tests.'),
    edit(
      'src/total.js',
      '/** Money is in cents. */',
      "import { discountOf } from './discounts.js'\n\n/** Money is in cents. */",
      'The import is missing.',
    ),
    bash('node --test'),
    todo(
      ['completed', 'Find where the total is computed'],
      ['completed', 'Discounts by code, with tests'],
      ['in_progress', 'Open a change request'],
    ),
    bash(
      `git add -A && git commit -qm 'Take discounts by code off the sum of the cart' && git push -q && git log --oneline -1`,
    ),
    bash(`svc cr open --title 'Discounts by code' --description ${quoted(description)}`),
    todo(
      ['completed', 'Find where the total is computed'],
      ['completed', 'Discounts by code, with tests'],
      ['completed', 'Open a change request'],
    ),
    {
      say: "Discounts by code are in, and proposed as a change request.\n\n- `src/discounts.js` knows two codes, `WELCOME10` and `FRIENDS25`.\n- `totalOf(cart, code)` takes the discount off **before** shipping.\n- Three tests say what a code does; all pass.\n\n```js\ntotalOf(cart, 'WELCOME10')\n```\n\nOne thing to decide: should a code be allowed on a cart that is already reduced?",
    },
  ],
  [prompts.cards]: [
    {
      say: 'Gift cards are a payment beside the others, so I begin with their balance.',
      tool: 'write',
      input: {
        filePath: 'src/gift-cards.js',
        content:
          '/** The part of a total that a gift card pays, in cents. */\nexport function paidByCard(card, total) {\n  return Math.min(card.balance, total)\n}\n',
      },
    },
    bash(
      'for file in src/*.js; do node --check "$file" && echo "ok $file"; done; git add -A && git commit -qm \'Pay with gift cards\' && git push -q',
      'It is small, so I check it and push.',
    ),
    { say: 'Gift cards pay their part of a total now.' },
  ],
  [prompts.search]: [
    bash('grep -rn "search" src || true', 'I look for the slow part.'),
    bash(
      'for n in $(seq 1 600); do echo "run $n of 600: 10,000 products searched in $((30 + n % 7)) ms"; sleep 1; done',
      'I measure before I change anything.',
    ),
  ],
  [prompts.currency]: [
    {
      say: 'Yen have no cents, and Swiss francs are rounded to five of them. Before I go on:',
      tool: 'question',
      input: {
        questions: [
          {
            question: 'Which currencies should be rounded to five cents?',
            header: 'Rounding',
            multiple: false,
            options: [
              { label: 'Swiss francs only', description: 'As cash is paid there' },
              { label: 'All with small coins out of use', description: 'Also Swedish and Danish crowns' },
              { label: 'None', description: 'Cards pay every cent' },
            ],
          },
        ],
      },
    },
  ],
  [prompts.receipts]: [
    {
      say: 'Receipts need a template and a way to send mail; the repository has neither.',
      tool: 'bash',
      input: { command: 'ls templates', description: 'Look for templates' },
    },
    { say: 'There is no folder of templates, so I stop here. Say where receipts should come from.' },
  ],
  'Look through the changes of the last day': [
    bash('git log --since=1.day --oneline'),
    { say: 'Three commits since yesterday, and none touches payment. Nothing to report.' },
  ],
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
