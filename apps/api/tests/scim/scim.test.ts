import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { core, groupSchema, messages, type ScimPlatform, scimPlatform, userSchema } from '../support/scim.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const nobody = '7b8f0f06-6b6f-4b1c-8a4e-2f8d8c5f0a11'
let scim: ScimPlatform

beforeAll(async () => {
  scim = await scimPlatform()
})
afterAll(() => scim.close())

const newEmail = () => `${randomUUID()}@acme.example`
const find = (filter: string) => scim.ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)

describe('discovery (RFC 7643 sections 5 to 7, RFC 7644 section 4)', () => {
  test('ServiceProviderConfig says what there is', async () => {
    const answer = await scim.ask('GET', '/ServiceProviderConfig')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/scim+json')
    expect(answer.body).toMatchObject({
      schemas: [`${core}:ServiceProviderConfig`],
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: false },
      etag: { supported: true },
      changePassword: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
  })

  test.each([
    ['/ResourceTypes', ['User', 'Group']],
    ['/Schemas', [userSchema, groupSchema, enterprise]],
  ])('%s lists and names each', async (path, ids) => {
    const { body } = await scim.ask('GET', path)
    expect(body).toMatchObject({ totalResults: ids.length, Resources: ids.map((id) => ({ id })) })
    for (const id of ids)
      expect(await scim.ask('GET', `${path}/${id}`)).toMatchObject({ status: 200, body: { id } })
    expect(await scim.ask('GET', `${path}/none`)).toMatchObject({ status: 404 })
    expect(await scim.ask('GET', `${path}?filter=id%20pr`)).toMatchObject({
      status: 403,
      body: { status: '403' },
    })
  })

  test('the schemas show no password, and nothing that nobody keeps', async () => {
    const { text } = await scim.ask('GET', `/Schemas/${userSchema}`)
    expect(text).toContain('"userName"')
    for (const name of ['password', 'x509Certificates', 'photos']) expect(text).not.toContain(`"${name}"`)
  })

  test.each([
    ['GET', '/Me'],
    ['POST', '/Bulk'],
  ])('%s %s is not supported (sections 3.7, 3.11)', async (method, path) => {
    const answer = await scim.ask(method, path, method === 'POST' ? {} : undefined)
    expect(answer).toMatchObject({ status: 501, body: { schemas: [`${messages}:Error`], status: '501' } })
  })
})

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
    const rows = await scim.platform.parts.db.selectFrom('scim_users').selectAll().execute()
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

describe('lists (RFC 7644 section 3.4.2.4)', () => {
  test('pages hold everybody once, oldest first', async () => {
    const department = randomUUID()
    const made: string[] = []
    for (let index = 0; index < 5; index++)
      made.push((await scim.addUser({ [enterprise]: { department } })).id)
    const page = async (query: string) => {
      const filter = encodeURIComponent(`${enterprise}:department eq "${department}"`)
      const { body } = await scim.ask('GET', `/Users?filter=${filter}&${query}`)
      return { ...Object(body), ids: Object(body).Resources.map(({ id }: { id: string }) => id) }
    }
    expect(await page('startIndex=1&count=2')).toMatchObject({
      totalResults: 5,
      itemsPerPage: 2,
      ids: made.slice(0, 2),
    })
    expect(await page('startIndex=5&count=2')).toMatchObject({
      totalResults: 5,
      itemsPerPage: 1,
      ids: made.slice(4),
    })
    expect(await page('startIndex=6')).toMatchObject({ totalResults: 5, itemsPerPage: 0, ids: [] })
    expect(await page('startIndex=-3&count=1')).toMatchObject({ startIndex: 1, ids: made.slice(0, 1) })
    expect(await page('count=0')).toMatchObject({ totalResults: 5, ids: [] })
    expect(await page('count=-1')).toMatchObject({ totalResults: 5, ids: [] })
    expect(await page('attributes=userName')).toMatchObject({ Resources: made.map((id) => ({ id })) })
  })

  test('without a filter the database pages, and nobody is left out', async () => {
    const { body } = await scim.ask('GET', '/Users?count=1000')
    const all = Object(body)
    expect(all.itemsPerPage).toBe(all.totalResults)
    const ids: string[] = []
    for (let startIndex = 1; startIndex <= all.totalResults; startIndex += 3) {
      const { body } = await scim.ask('GET', `/Users?startIndex=${startIndex}&count=3`)
      ids.push(...Object(body).Resources.map(({ id }: { id: string }) => id))
    }
    expect(ids).toEqual(all.Resources.map(({ id }: { id: string }) => id))
  })

  test('people who joined by themselves are there as well, with what is known of them', async () => {
    const { user_id } = scim.platform.owner
    const { body } = await scim.ask('GET', `/Users/${user_id}`)
    expect(body).toMatchObject({
      id: user_id,
      active: true,
      emails: [{ primary: true }],
      userName: expect.any(String),
    })
  })

  test('attributes and excludedAttributes (section 3.9)', async () => {
    const { id, email } = await scim.addUser({ name: { givenName: 'A', familyName: 'B' }, title: 'T' })
    const some = await scim.ask('GET', `/Users/${id}?attributes=userName,name.givenName`)
    expect(some.body).toEqual({ schemas: [userSchema], id, userName: email, name: { givenName: 'A' } })
    const rest = await scim.ask(
      'GET',
      `/Users/${id}?excludedAttributes=name.givenName,title,id,schemas,bogus`,
    )
    expect(rest.body).toMatchObject({ id, schemas: [userSchema], name: { familyName: 'B' } })
    expect(Object.keys(Object(rest.body))).not.toContain('title')
  })
})

describe('versions (RFC 7644 section 3.14)', () => {
  test.each([
    ['/Users', (name: string) => ({ schemas: [userSchema], userName: `${name}@acme.example` }), 'nickName'],
    ['/Groups', (name: string) => ({ schemas: [groupSchema], displayName: name }), 'externalId'],
  ])('%s', async (kind, bodyOf, path) => {
    const body = bodyOf(randomUUID())
    const made = await scim.ask('POST', kind, body)
    const [at, first] = [`${kind}/${made.pick('id')}`, made.pick('meta.version')]
    const seen = await scim.ask('GET', at, undefined, { headers: { 'if-none-match': first } })
    expect(seen).toMatchObject({ status: 304, text: '' })
    const change = { schemas: [`${messages}:PatchOp`], Operations: [{ op: 'add', path, value: 'x' }] }
    const changed = await scim.ask('PATCH', at, change, { headers: { 'if-match': first } })
    expect(changed.status).toBe(200)
    const second = changed.pick('meta.version')
    expect(second).not.toBe(first)
    const again = await scim.ask('PATCH', at, change, { headers: { 'if-match': second } })
    expect(again.pick('meta.version')).toBe(second)
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const sent = method === 'DELETE' ? undefined : method === 'PUT' ? body : change
      const stale = await scim.ask(method, at, sent, { headers: { 'if-match': first } })
      expect(stale).toMatchObject({ status: 412, body: { schemas: [`${messages}:Error`], status: '412' } })
    }
    expect(await scim.ask('GET', at, undefined, { headers: { 'if-none-match': first } })).toMatchObject({
      status: 200,
    })
    expect(await scim.ask('DELETE', at, undefined, { headers: { 'if-match': '*' } })).toMatchObject({
      status: 204,
    })
  })
})

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
    const sameAddress = { schemas: [userSchema], userName: newEmail(), emails: [{ value: upper }] }
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

test('a directory of thousands is read page by page, and one person of it by name', async () => {
  const { db } = scim.platform.database
  const many = 5_000
  await sql`with people as (
      insert into users (user_id, email, name, created_at)
      select gen_random_uuid(), 'many.' || n || '@acme.example', 'Many', now() from generate_series(1, ${many}) n
      returning user_id, email, created_at
    ), joined as (
      insert into account_members (account_id, user_id, role, created_at)
      select ${scim.account_id}::uuid, user_id, 'member', created_at from people
    )
    insert into scim_users (account_id, user_id, user_name, attributes, created_at, updated_at)
    select ${scim.account_id}::uuid, user_id, email, '{}', created_at, created_at from people`.execute(db)
  const all = z.object({
    totalResults: z.int().min(many),
    Resources: z.array(z.object({ id: z.string(), userName: z.string() })),
  })
  const seen = new Set<string>()
  for (let startIndex = 1, total = 1; startIndex <= total; startIndex += 200) {
    const page = all.parse((await scim.ask('GET', `/Users?startIndex=${startIndex}&count=5000`)).body)
    total = page.totalResults
    expect(page.Resources).toHaveLength(Math.min(200, total - startIndex + 1))
    for (const { id } of page.Resources) seen.add(id)
    if (startIndex + 200 > total) expect(seen.size).toBe(total)
  }
  const found = await find('userName eq "MANY.4711@acme.example"')
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ userName: 'many.4711@acme.example' }] })
})
