import { expect, test } from 'vitest'
import { type Clause, clauseText, holds } from './clauses.ts'

const args = {
  to: 'a@example.test',
  amount: 5,
  draft: false,
  note: null,
  mail: { from: 'me', cc: [{ at: 'x@example.test' }, { at: 'y@other.test' }], tags: ['a', 'b'] },
  grid: [
    [1, 2],
    [3, 4],
  ],
  'a.b': 'dotted',
  'c[]': 'brackets',
}

test.each<[Clause, boolean]>([
  [{ path: 'to', equals: 'a@example.test' }, true],
  [{ path: 'to', equals: 'A@example.test' }, false],
  [{ path: 'amount', equals: 5 }, true],
  [{ path: 'amount', equals: '5' }, false],
  [{ path: 'draft', equals: false }, true],
  [{ path: 'note', equals: null }, true],
  [{ path: 'missing', equals: null }, false],
  [{ path: 'amount', in: [4, 5] }, true],
  [{ path: 'amount', in: ['5'] }, false],
  [{ path: 'missing', in: [null] }, false],
  [{ path: 'to', matches: '*@example.test' }, true],
  [{ path: 'to', matches: 'a@' }, false],
  [{ path: 'amount', matches: '5' }, false],
  [{ path: 'missing', matches: '*' }, false],
  [{ path: 'mail.from', equals: 'me' }, true],
  [{ path: 'mail.cc[].at', matches: '*@other.test' }, true],
  [{ path: 'mail.cc[].at', matches: '*@third.test' }, false],
  [{ path: 'mail.cc.at', exists: true }, false],
  [{ path: 'mail.tags[]', equals: 'b' }, true],
  [{ path: 'mail.tags', equals: 'b' }, false],
  [{ path: 'mail.tags.0', exists: true }, false],
  [{ path: 'grid[][]', equals: 4 }, true],
  [{ path: 'grid[]', equals: 4 }, false],
  [{ path: 'note', exists: true }, true],
  [{ path: 'missing', exists: true }, false],
  [{ path: 'missing', exists: false }, true],
  [{ path: 'note', exists: false }, false],
  [{ path: 'note.deeper', exists: false }, true],
  [{ path: 'constructor', exists: false }, true],
  [{ path: 'mail.__proto__', exists: false }, true],
  [{ path: 'a\\.b', equals: 'dotted' }, true],
  [{ path: 'c\\[]', equals: 'brackets' }, true],
])('%o: %s', (clause, expected) => {
  expect(holds(clause, args)).toBe(expected)
})

test.each<[Clause, string]>([
  [{ path: 'to', equals: 'a' }, 'to equals "a"'],
  [{ path: 'to', in: ['a', 1] }, 'to is in ["a",1]'],
  [{ path: 'to', matches: 'a*' }, 'to matches a*'],
  [{ path: 'to', exists: true }, 'to exists'],
  [{ path: 'to', exists: false }, 'to does not exist'],
])('%o in words: %s', (clause, text) => {
  expect(clauseText(clause)).toBe(text)
})
