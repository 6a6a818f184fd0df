import { describe, expect, test } from 'vitest'
import { groupDefinition, userDefinition } from '../documents/definitions.ts'
import type { JsonObject } from '../documents/json.ts'
import { applyPatch } from './patch.ts'
import { patchSchema, readPatch } from './patch-syntax.ts'
import { readDocument } from '../documents/read-document.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const ada: JsonObject = {
  userName: 'ada',
  active: true,
  displayName: 'Ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [
    { value: 'ada@acme.example', type: 'work', primary: true },
    { value: 'ada@example.com', type: 'home' },
  ],
}
const looms: JsonObject = { displayName: 'Looms', members: [{ value: 'a' }, { value: 'b', display: 'B' }] }

function patched(definition: typeof userDefinition, document: JsonObject, operations: readonly object[]) {
  const body = { schemas: [patchSchema], Operations: operations }
  return readDocument(definition, applyPatch(definition, document, readPatch(body)))
}

describe('RFC 7644 section 3.5.2 on a user', () => {
  test.each<[string, object, JsonObject]>([
    ['add a simple attribute', { op: 'add', path: 'title', value: 'Countess' }, { title: 'Countess' }],
    ['replace one in another case', { op: 'Replace', path: 'DISPLAYNAME', value: 'A' }, { displayName: 'A' }],
    [
      'replace a part',
      { op: 'replace', path: 'name.givenName', value: 'A' },
      { name: { givenName: 'A', familyName: 'Lovelace' } },
    ],
    [
      'merge an object',
      { op: 'replace', path: 'name', value: { GivenName: 'A' } },
      { name: { givenName: 'A', familyName: 'Lovelace' } },
    ],
    [
      'merge without a path',
      { op: 'add', value: { title: 'x', name: { middleName: 'K' } } },
      { title: 'x', name: { givenName: 'Ada', familyName: 'Lovelace', middleName: 'K' } },
    ],
    [
      'a part of what is not there',
      { op: 'add', path: `${enterprise}:department`, value: 'L' },
      { [enterprise]: { department: 'L' } },
    ],
    [
      'a whole extension',
      { op: 'add', path: enterprise, value: { department: 'L', division: 'D' } },
      { [enterprise]: { department: 'L', division: 'D' } },
    ],
    [
      'Entra: names with dots and schemas',
      { op: 'Add', value: { 'name.givenName': 'A', [`${enterprise}:department`]: 'L' } },
      { name: { givenName: 'A', familyName: 'Lovelace' }, [enterprise]: { department: 'L' } },
    ],
    ['Entra: booleans as text', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['Entra: booleans as text in an object', { op: 'replace', value: { active: 'True' } }, { active: true }],
    [
      'Entra: a manager as the bare id',
      { op: 'Add', path: `${enterprise}:manager`, value: '7' },
      { [enterprise]: { manager: { value: '7' } } },
    ],
    ['Okta: the id repeated', { op: 'replace', value: { id: 'x', schemas: [], title: 'x' } }, { title: 'x' }],
    ['remove', { op: 'remove', path: 'displayName' }, { displayName: undefined }],
    ['remove what is not there', { op: 'remove', path: `${enterprise}:department` }, {}],
    ['null removes as well', { op: 'replace', path: 'displayName', value: null }, { displayName: undefined }],
  ])('%s', (_, operation, change) => {
    const expected = Object.entries({ ...ada, ...change }).filter(([, value]) => value !== undefined)
    expect(patched(userDefinition, ada, [operation])).toEqual(Object.fromEntries(expected))
  })

  const [work, home] = [
    { value: 'ada@acme.example', type: 'work', primary: true },
    { value: 'ada@example.com', type: 'home' },
  ]
  test.each<[string, object, readonly object[]]>([
    [
      'add a value',
      { op: 'add', path: 'emails', value: [{ value: 'x@y.z' }] },
      [work, home, { value: 'x@y.z' }],
    ],
    [
      'add a value without brackets',
      { op: 'add', path: 'emails', value: { value: 'x@y.z' } },
      [work, home, { value: 'x@y.z' }],
    ],
    ['add what is there', { op: 'add', path: 'emails', value: [home] }, [work, home]],
    [
      'a new primary one ends the other',
      { op: 'add', path: 'emails', value: [{ value: 'x@y.z', primary: true }] },
      [{ ...work, primary: false }, home, { value: 'x@y.z', primary: true }],
    ],
    ['replace all', { op: 'replace', path: 'emails', value: [home] }, [home]],
    [
      'replace a part of one',
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'x@y.z' },
      [{ ...work, value: 'x@y.z' }, home],
    ],
    [
      'replace one',
      { op: 'replace', path: 'emails[type eq "home"]', value: { value: 'x@y.z', display: 'X' } },
      [work, { value: 'x@y.z', display: 'X', type: 'home' }],
    ],
    [
      'a part of every one',
      { op: 'replace', path: 'emails.display', value: 'X' },
      [
        { ...work, display: 'X' },
        { ...home, display: 'X' },
      ],
    ],
    [
      'Entra: add a part of none',
      { op: 'Add', path: 'emails[type eq "other"].value', value: 'x@y.z' },
      [work, home, { type: 'other', value: 'x@y.z' }],
    ],
    [
      'Entra: keys with filters',
      {
        op: 'replace',
        value: { 'emails[type eq "Work"].value': 'x@y.z', 'emails[type eq "Billing"].value': 'b@y.z' },
      },
      [{ ...work, value: 'x@y.z' }, home, { type: 'Billing', value: 'b@y.z' }],
    ],
    [
      'primary by filter',
      { op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' },
      [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    ],
    ['remove by filter', { op: 'remove', path: 'emails[type eq "home"]' }, [work]],
    [
      'remove a part by filter',
      { op: 'remove', path: 'emails[primary eq true].type' },
      [{ value: work.value, primary: true }, home],
    ],
    ['remove nothing by filter', { op: 'remove', path: 'emails[type eq "other"]' }, [work, home]],
  ])('emails: %s', (_, operation, emails) => {
    expect(patched(userDefinition, ada, [operation])).toEqual({ ...ada, emails })
  })

  test.each<[string, unknown, string]>([
    ['no schemas', { Operations: [{ op: 'add', value: {} }] }, 'invalidSyntax'],
    ['other schemas', { schemas: ['x'], Operations: [{ op: 'add', value: {} }] }, 'invalidSyntax'],
    ['no operation', { schemas: [patchSchema], Operations: [] }, 'invalidSyntax'],
    ['no object', [], 'invalidSyntax'],
    ['another op', { op: 'move', path: 'title', value: 'x' }, 'invalidSyntax'],
    ['remove without a path', { op: 'remove' }, 'noTarget'],
    ['add without a value', { op: 'add', path: 'title' }, 'invalidValue'],
    ['text without a path', { op: 'add', value: 'x' }, 'invalidValue'],
    ['an unknown attribute', { op: 'add', path: 'bogus', value: 'x' }, 'invalidPath'],
    ['an unknown part', { op: 'add', path: 'name.bogus', value: 'x' }, 'invalidPath'],
    ['the prototype', { op: 'add', path: '__proto__.polluted', value: 'x' }, 'invalidPath'],
    [
      'the prototype without a path',
      { op: 'add', value: JSON.parse('{"__proto__":{"polluted":1}}') },
      'invalidPath',
    ],
    ['a filter on one value', { op: 'add', path: 'name[givenName eq "x"]', value: {} }, 'invalidPath'],
    ['a broken filter', { op: 'add', path: 'emails[type eq]', value: {} }, 'invalidFilter'],
    ['what the service sets', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    ['a part of what the service sets', { op: 'replace', path: 'meta.created', value: 'x' }, 'mutability'],
    ['groups of a user', { op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
    ['remove what is required', { op: 'remove', path: 'userName' }, 'mutability'],
    [
      'replace by a filter that fits none',
      { op: 'replace', path: 'emails[type eq "other"].value', value: 'x' },
      'noTarget',
    ],
    [
      'add by a filter that describes none',
      { op: 'add', path: 'emails[value sw "x"].type', value: 'x' },
      'noTarget',
    ],
    ['a value of another type', { op: 'add', path: 'title', value: ['x'] }, 'invalidValue'],
    ['a boolean that is none', { op: 'add', path: 'active', value: 'perhaps' }, 'invalidValue'],
  ])('%s is refused', (_, given, scimType) => {
    const whole =
      typeof given === 'object' && given !== null && ('Operations' in given || Array.isArray(given))
    const body = whole ? given : { schemas: [patchSchema], Operations: [given] }
    const attempt = () => readDocument(userDefinition, applyPatch(userDefinition, ada, readPatch(body)))
    expect(attempt).toThrow(expect.objectContaining({ details: { scimType } }))
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('the document that is patched stays as it was', () => {
    const before = structuredClone(ada)
    patched(userDefinition, ada, [
      { op: 'remove', path: 'emails' },
      { op: 'add', path: 'name.givenName', value: 'x' },
    ])
    expect(ada).toEqual(before)
  })
})

test.each<[string, object, readonly string[]]>([
  ['add', { op: 'Add', path: 'members', value: [{ value: 'c' }] }, ['a', 'b', 'c']],
  [
    'add twice',
    { op: 'add', path: 'members', value: [{ value: 'a' }, { value: 'c' }, { value: 'b' }] },
    ['a', 'b', 'c'],
  ],
  ['replace', { op: 'replace', path: 'members', value: [{ value: 'c' }] }, ['c']],
  ['remove all', { op: 'remove', path: 'members' }, []],
  ['remove by filter', { op: 'remove', path: 'members[value eq "a"]' }, ['b']],
  ['remove by two', { op: 'remove', path: 'members[value eq "a" or value eq "b"]' }, []],
  ['Entra: remove by value', { op: 'Remove', path: 'members', value: [{ value: 'b' }] }, ['a']],
  ['remove by bare value', { op: 'remove', path: 'members', value: ['b'] }, ['a']],
])('members: %s', (_, operation, ids) => {
  const { members } = patched(groupDefinition, looms, [operation])
  expect(members ?? []).toEqual(ids.map((value) => expect.objectContaining({ value })))
})
