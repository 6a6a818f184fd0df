import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { groupSchema, messages, openScim, userSchema } from '../support/scim.ts'

const scim = await openScim()

const nobody = '7b8f0f06-6b6f-4b1c-8a4e-2f8d8c5f0a11'

describe('errors (RFC 7644 section 3.12)', () => {
  const user = { schemas: [userSchema], userName: 'x@acme.example' }
  const patch = (operation: object) => ({ schemas: [`${messages}:PatchOp`], Operations: [operation] })
  test.each<[string, string, string, unknown, number, string | undefined]>([
    ['a filter that is none', 'GET', '/Users?filter=userName%20is%20x', undefined, 400, 'invalidFilter'],
    ['an empty filter', 'GET', '/Users?filter=', undefined, 400, 'invalidFilter'],
    [
      'a filter of groups by what users have',
      'GET',
      '/Groups?filter=userName%20pr',
      undefined,
      400,
      'invalidFilter',
    ],
    ['a start that is no number', 'GET', '/Users?startIndex=one', undefined, 400, 'invalidValue'],
    [
      'a user without schemas of its kind',
      'POST',
      '/Users',
      { ...user, schemas: [groupSchema] },
      400,
      'invalidSyntax',
    ],
    ['a user without a name', 'POST', '/Users', { schemas: [userSchema] }, 400, 'invalidValue'],
    ['a user without an address', 'POST', '/Users', { ...user, userName: 'ada' }, 400, 'invalidValue'],
    [
      'an address that is none',
      'POST',
      '/Users',
      { ...user, emails: [{ value: 'ada' }] },
      400,
      'invalidValue',
    ],
    ['a list as the body', 'POST', '/Users', [user], 400, 'invalidSyntax'],
    ['a value of another type', 'POST', '/Users', { ...user, title: { x: 1 } }, 400, 'invalidValue'],
    ['NUL in a name', 'POST', '/Users', { ...user, userName: 'a\0@acme.example' }, 400, 'invalidValue'],
    ['a group without a name', 'POST', '/Groups', { schemas: [groupSchema] }, 400, 'invalidValue'],
    [
      'a group of nobody',
      'POST',
      '/Groups',
      { schemas: [groupSchema], displayName: 'x', members: [{ value: nobody }] },
      400,
      'invalidValue',
    ],
    [
      'a group in a group',
      'POST',
      '/Groups',
      { schemas: [groupSchema], displayName: 'x', members: [{ value: nobody, type: 'Group' }] },
      400,
      'invalidValue',
    ],
    ['a user whom nobody knows', 'GET', `/Users/${nobody}`, undefined, 404, undefined],
    ['an id that is none', 'GET', '/Users/ada', undefined, 404, undefined],
    [
      'a change of nobody',
      'PATCH',
      `/Users/${nobody}`,
      patch({ op: 'add', path: 'title', value: 'x' }),
      404,
      undefined,
    ],
    ['a group that is not there', 'DELETE', `/Groups/${nobody}`, undefined, 404, undefined],
    ['a path that is none', 'GET', '/Bogus', undefined, 404, undefined],
    ['a method that is none', 'PUT', '/Users', user, 405, undefined],
  ])('%s', async (_, method, path, body, status, scimType) => {
    const answer = await scim.ask(method, path, body)
    expect(answer.headers.get('content-type')).toContain('application/scim+json')
    expect(answer.body).toEqual({
      schemas: [`${messages}:Error`],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType }),
      detail: expect.any(String),
    })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toBeTruthy()
  })

  test('what is no JSON, and what is said to be something else', async () => {
    const broken = await scim.ask('POST', '/Users', undefined, { raw: '{' })
    expect(broken).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } })
    const form = { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect(await scim.ask('POST', '/Users', undefined, form)).toMatchObject({
      status: 415,
      body: { status: '415' },
    })
  })

  test('names and addresses are one person’s in the account, whatever their case (uniqueness)', async () => {
    const taken = await scim.addUser()
    const other = await scim.addUser()
    const conflict = { status: 409, body: { status: '409', scimType: 'uniqueness' } }
    const upper = taken.email.toUpperCase()
    expect(await scim.ask('POST', '/Users', { schemas: [userSchema], userName: upper })).toMatchObject(
      conflict,
    )
    const sameAddress = {
      schemas: [userSchema],
      userName: `${randomUUID()}@acme.example`,
      emails: [{ value: upper }],
    }
    expect(await scim.ask('POST', '/Users', sameAddress)).toMatchObject(conflict)
    const rename = { op: 'replace', path: 'userName', value: upper }
    expect(await scim.patch(`/Users/${other.id}`, rename)).toMatchObject(conflict)
    const group = { schemas: [groupSchema], displayName: randomUUID() }
    expect(await scim.ask('POST', '/Groups', group)).toMatchObject({ status: 201 })
    expect(await scim.ask('POST', '/Groups', group)).toMatchObject(conflict)
  })

  test('a PATCH that fails halfway changes nothing (section 3.5.2)', async () => {
    const { id } = await scim.addUser({ title: 'before' })
    const failed = await scim.patch(
      `/Users/${id}`,
      { op: 'replace', path: 'title', value: 'after' },
      { op: 'replace', path: 'bogus', value: 'x' },
    )
    expect(failed).toMatchObject({ status: 400, body: { scimType: 'invalidPath' } })
    expect(await scim.ask('GET', `/Users/${id}`)).toMatchObject({ body: { title: 'before' } })
  })
})
