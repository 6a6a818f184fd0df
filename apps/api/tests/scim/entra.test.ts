import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { enterprise, groupSchema, messages, openScim, userSchema } from '../support/scim.ts'

const scim = await openScim()

const find = (filter: string) => scim.ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)

describe('Entra', () => {
  /** A user as the directory's documentation has it. */
  const user = () => ({
    schemas: [userSchema, enterprise],
    externalId: randomUUID(),
    userName: `Test_User_${randomUUID()}`,
    active: true,
    emails: [{ primary: true, type: 'work', value: `Test_User_${randomUUID()}@testuser.com` }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  })

  test('a user is created, found, changed and disabled', async () => {
    const body = user()
    expect(await find(`userName eq "${body.userName}"`)).toMatchObject({
      status: 200,
      body: { schemas: [`${messages}:ListResponse`], totalResults: 0, Resources: [] },
    })
    const made = await scim.ask('POST', '/Users', body)
    expect(made.status).toBe(201)
    const id = made.pick('id')
    expect(made.headers.get('location')).toBe(made.pick('meta.location'))
    expect(made.headers.get('etag')).toBe(made.pick('meta.version'))
    const { roles: _, schemas: __, meta: ___, ...kept } = body
    expect(made.body).toMatchObject({ ...kept, schemas: [userSchema], meta: { resourceType: 'User' } })
    expect(await find(`externalId eq "${body.externalId}"`)).toMatchObject({ body: { Resources: [{ id }] } })
    expect(await find(`USERNAME eq "${body.userName.toUpperCase()}"`)).toMatchObject({
      body: { totalResults: 1 },
    })

    const changed = await scim.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: `${enterprise}:department`, value: 'Looms' },
      { op: 'Add', path: 'emails[type eq "other"].value', value: 'other@microsoft.com' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Redmond' },
      { op: 'Add', path: 'phoneNumbers[type eq "fax"].value', value: '1' },
      { op: 'Add', path: `${enterprise}:manager`, value: '26118915-6090-4610-87e4-49d8ca9f808d' },
    )
    expect(changed).toMatchObject({
      status: 200,
      body: {
        schemas: [userSchema, enterprise],
        emails: [{ value: 'updatedEmail@microsoft.com', primary: true }, { value: 'other@microsoft.com' }],
        name: { givenName: 'givenName', familyName: 'updatedFamilyName' },
        addresses: [{ type: 'work', locality: 'Redmond' }],
        phoneNumbers: [{ type: 'fax', value: '1' }],
        [enterprise]: { department: 'Looms', manager: { value: '26118915-6090-4610-87e4-49d8ca9f808d' } },
      },
    })
    const off = await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
    expect(off).toMatchObject({ status: 200, body: { active: false } })
    expect(await find('active eq "False"')).toMatchObject({ body: { Resources: [{ id }] } })
    expect(await scim.ask('DELETE', `/Users/${id}`)).toMatchObject({ status: 204, text: '' })
    expect(await scim.ask('GET', `/Users/${id}`)).toMatchObject({ status: 404, body: { status: '404' } })
  })

  test('a group is created, renamed, filled and emptied', async () => {
    const { id: ada } = await scim.addUser()
    const displayName = randomUUID()
    const made = await scim.ask('POST', '/Groups', {
      schemas: [groupSchema, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: randomUUID(),
      displayName,
      meta: { resourceType: 'Group' },
    })
    expect(made.status).toBe(201)
    const path = `/Groups/${made.pick('id')}`
    const rename = { op: 'Replace', path: 'displayName', value: `${displayName} 2` }
    expect(await scim.patch(path, rename)).toMatchObject({ body: { displayName: `${displayName} 2` } })
    const added = await scim.patch(path, { op: 'Add', path: 'members', value: [{ $ref: null, value: ada }] })
    expect(added).toMatchObject({ body: { members: [{ value: ada, type: 'User' }] } })
    const named = `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`displayName eq "${displayName} 2"`)}`
    const listed = await scim.ask('GET', named)
    expect(listed).toMatchObject({
      body: { totalResults: 1, Resources: [{ displayName: `${displayName} 2` }] },
    })
    expect(listed.text).not.toContain(ada)
    expect(await scim.ask('GET', `/Users/${ada}`)).toMatchObject({
      body: { groups: [{ value: made.pick('id') }] },
    })
    const holds = encodeURIComponent(`id eq "${made.pick('id')}" and members eq "${ada}"`)
    expect(await scim.ask('GET', `/Groups?filter=${holds}`)).toMatchObject({ body: { totalResults: 1 } })
    const removed = await scim.patch(path, {
      op: 'Remove',
      path: 'members',
      value: [{ $ref: null, value: ada }],
    })
    expect(removed.status).toBe(200)
    expect(removed.text).not.toContain('"members"')
    expect(await scim.ask('DELETE', path)).toMatchObject({ status: 204 })
    expect(await scim.ask('GET', path)).toMatchObject({ status: 404 })
  })
})
