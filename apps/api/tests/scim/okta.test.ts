import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { groupSchema, openScim, userSchema } from '../support/scim.ts'

const scim = await openScim()

describe('Okta', () => {
  test('a user is created, replaced, deactivated and activated; a password is neither kept nor shown', async () => {
    const userName = `test.user.${randomUUID()}@okta.local`
    const body = {
      schemas: [userSchema],
      userName,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    const filter = encodeURIComponent(`userName eq "${userName}"`)
    const none = await scim.ask('GET', `/Users?filter=${filter}&startIndex=1&count=100`)
    expect(none).toMatchObject({ body: { totalResults: 0, startIndex: 1, itemsPerPage: 0 } })
    const made = await scim.ask('POST', '/Users', body, { headers: { 'content-type': 'application/json' } })
    expect(made).toMatchObject({ status: 201, body: { userName, locale: 'en-US', active: true } })
    const id = made.pick('id')
    const meta = { resourceType: 'User' }
    const put = await scim.ask('PUT', `/Users/${id}`, { ...body, id, meta, name: { givenName: 'Another' } })
    expect(put).toMatchObject({ status: 200, body: { id, name: { givenName: 'Another' } } })
    expect(put.text).not.toContain('familyName')
    const off = await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    expect(off).toMatchObject({ status: 200, body: { active: false, displayName: 'Test User' } })
    const on = await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: true } })
    expect(on).toMatchObject({ status: 200, body: { active: true } })
    expect([made, put, off].map(({ text }) => text).join()).not.toContain('1mz050nq')
    const rows = await scim.db.selectFrom('scim_users').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('1mz050nq')
    expect(scim.platform.lines.join('\n')).not.toContain('1mz050nq')
  })

  test('a group is created empty, renamed with its id repeated, and its members change', async () => {
    const [one, two] = [await scim.addUser(), await scim.addUser()]
    const displayName = `Test SCIMv2 ${randomUUID()}`
    const made = await scim.ask('POST', '/Groups', { schemas: [groupSchema], displayName, members: [] })
    const [id, path] = [made.pick('id'), `/Groups/${made.pick('id')}`]
    const renamed = await scim.patch(path, { op: 'replace', value: { id, displayName: `${displayName} 0` } })
    expect(renamed).toMatchObject({ status: 200, body: { id, displayName: `${displayName} 0` } })
    const all = { op: 'replace', path: 'members', value: [{ value: one.id, display: one.email }] }
    expect(await scim.patch(path, all)).toMatchObject({ body: { members: [{ value: one.id }] } })
    const swapped = await scim.patch(
      path,
      { op: 'remove', path: `members[value eq "${one.id}"]` },
      { op: 'add', path: 'members', value: [{ value: two.id, display: two.email }] },
    )
    expect(Object(swapped.body).members).toEqual([expect.objectContaining({ value: two.id })])
    const put = await scim.ask('PUT', path, { schemas: [groupSchema], displayName: `${displayName} 1` })
    expect(put.text).not.toContain(two.id)
  })
})
