import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { userDefinition } from '../documents/definitions.ts'
import { compileFilter } from './filter.ts'
import type { JsonObject } from '../documents/json.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const people: readonly JsonObject[] = [
  {
    id: '1',
    userName: 'Ada@Acme.example',
    externalId: 'E1',
    active: true,
    name: { givenName: 'Ada', familyName: "O'Malley" },
    emails: [
      { type: 'work', value: 'ada@acme.example', primary: true },
      { type: 'home', value: 'ada@example.com' },
    ],
    meta: { created: '2026-01-01T00:00:00Z', lastModified: '2026-06-01T00:00:00.000Z' },
    [enterprise]: { department: 'Looms' },
  },
  {
    id: '2',
    userName: 'bob',
    externalId: 'e1',
    active: false,
    title: 'a and b (or) "c"',
    emails: [{ type: 'home', value: 'bob@acme.example' }],
    meta: { created: '2026-02-01T00:00:00Z', lastModified: '2026-02-01T01:00:00+01:00' },
  },
  { id: '3', userName: 'eve', active: true, title: '', meta: { created: '2026-03-01T00:00:00Z' } },
]

const fitting = (filter: string) => {
  const { matches } = compileFilter(userDefinition, filter)
  return people
    .filter(matches)
    .map(({ id }) => id)
    .join('')
}

describe('RFC 7644 section 3.4.2.2', () => {
  test.each([
    ['userName eq "ada@acme.example"', '1'],
    ['USERNAME EQ "BOB"', '2'],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "E"', '3'],
    ['externalId eq "e1"', '2'],
    ['id eq "3"', '3'],
    ['name.familyName co "O\'Malley"', '1'],
    ['userName sw "A"', '1'],
    ['userName ew "EXAMPLE"', '1'],
    ['title pr', '2'],
    ['not (title pr)', '13'],
    ['active eq true', '13'],
    ['active eq "True"', '13'],
    ['active eq "False"', '2'],
    ['active ne true', '2'],
    ['title eq null', '13'],
    ['title ne null', '2'],
    ['externalId ne "E1"', '23'],
    ['title eq "a and b (or) \\"c\\""', '2'],
    ['meta.lastModified gt "2026-05-13T04:42:34Z"', '1'],
    ['meta.lastModified le "2026-02-01T00:00:00Z"', '2'],
    ['meta.created ge "2026-02-01T00:00:00Z"', '23'],
    ['meta.created lt "2026-02-01T00:00:00Z"', '1'],
    ['emails co "example.com"', '1'],
    ['emails.type eq "home"', '12'],
    ['emails[type eq "work" and value co "@acme.example"]', '1'],
    ['emails[type eq "home" and value co "@acme.example"]', '2'],
    ['emails[type eq "home"].value eq "bob@ACME.example"', '2'],
    ['emails[not (type eq "work")]', '12'],
    ['emails pr and not (emails[type eq "work"])', '2'],
    [`${enterprise}:department eq "looms"`, '1'],
    ['userName eq "bob" or userName eq "eve" and active eq false', '2'],
    ['(userName eq "bob" or userName eq "eve") and active eq true', '3'],
    ['not (userName eq "bob" and active eq true)', '123'],
    ['not(userName eq "bob" or active eq true)', ''],
    ['userName gt "bob"', '3'],
  ])('%s', (filter, ids) => {
    expect(fitting(filter)).toBe(ids)
  })

  test.each([
    ['', 'the end'],
    ['userName', 'an operator'],
    ['userName eq', 'a value'],
    ['userName eq bob', 'a value'],
    ['userName eq "bob', 'a value'],
    ['userName eq "bob" and', 'an attribute'],
    ['userName eq "bob" userName eq "eve"', 'the end'],
    ['(userName eq "bob"', '")"'],
    ['userName eq "bob")', 'the end'],
    ['emails[type eq "work"', '"]"'],
    ['not userName eq "bob"', '"(" after not'],
    ['userName is "bob"', 'an operator'],
    ['userName eq "\\q"', 'a value'],
    ['userName eq {}', 'a value'],
    ['bogus eq "x"', 'no attribute bogus'],
    ['__proto__ pr', 'an attribute'],
    ['constructor pr', 'no attribute constructor'],
    ['emails[bogus eq 1]', 'no sub-attribute bogus'],
    ['userName[value eq 1]', 'no values'],
    ['name eq "x"', 'no sub-attribute value'],
    ['active gt true', 'does not apply'],
    ['active co "t"', 'does not apply'],
    ['title co null', 'does not apply to null'],
    [`${'('.repeat(100)}userName pr`, 'nested deeper'],
    [`userName eq "${'x'.repeat(5000)}"`, 'longer than'],
  ])('%s is refused', (filter, words) => {
    expect(() => fitting(filter)).toThrow(words)
    expect(() => fitting(filter)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { scimType: 'invalidFilter' } }),
    )
  })
})

/** The same question twice: as a filter, and as plain JavaScript. */
interface Asked {
  readonly text: string
  readonly holds: (person: JsonObject) => boolean
}

const values = fc.constantFrom('a', 'B', 'ab', 'and', 'x or y', '(', 'a"b', 'back\\slash', 'ü')
const comparisons: Readonly<Record<string, (left: string, right: string) => boolean>> = {
  eq: (left, right) => left === right,
  co: (left, right) => left.includes(right),
  sw: (left, right) => left.startsWith(right),
  ew: (left, right) => left.endsWith(right),
  gt: (left, right) => left > right,
  le: (left, right) => left <= right,
}
const condition = fc
  .tuple(
    fc.constantFrom('nickName', 'title', 'externalId'),
    fc.constantFrom(...Object.keys(comparisons)),
    values,
  )
  .map(([name, op, wanted]): Asked => ({
    text: `${name} ${op} ${JSON.stringify(wanted)}`,
    holds: (person) => {
      const value = person[name]
      if (typeof value !== 'string') return false
      const plain = (text: string) => (name === 'externalId' ? text : text.toLowerCase())
      return comparisons[op]?.(plain(value), plain(wanted)) === true
    },
  }))
const asked = fc.letrec<{ all: Asked; one: Asked; joined: Asked; negated: Asked }>((tie) => ({
  all: fc.oneof({ maxDepth: 4 }, tie('one'), tie('joined'), tie('negated')),
  one: condition,
  joined: fc.tuple(tie('all'), fc.constantFrom('and', 'or'), tie('all')).map(([left, op, right]) => ({
    text: `(${left.text}) ${op} (${right.text})`,
    holds: (person) =>
      op === 'and' ? left.holds(person) && right.holds(person) : left.holds(person) || right.holds(person),
  })),
  negated: tie('all').map(({ text, holds }) => ({
    text: `not (${text})`,
    holds: (person) => !holds(person),
  })),
})).all
const person = fc.record({ nickName: values, title: values, externalId: values }, { requiredKeys: [] })

test('a filter says of everybody what plain JavaScript says', () => {
  fc.assert(
    fc.property(asked, fc.array(person, { maxLength: 5 }), ({ text, holds }, everybody) => {
      const { matches } = compileFilter(userDefinition, text)
      expect(everybody.map((one) => matches({ ...one }))).toEqual(everybody.map((one) => holds({ ...one })))
    }),
    { seed: 20_261_122, numRuns: 500 },
  )
})

test('the time for a filter grows with its length alone', () => {
  const groups = Array.from({ length: 60 }, (_, index) => `(title eq "${index}" or nickName eq "b")`)
  expect(fitting(groups.join(' and '))).toBe('')
})
