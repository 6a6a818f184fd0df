import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { enterprise, openScim, userSchema } from '../support/scim.ts'

const scim = await openScim()

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
  const found = await scim.ask('GET', '/Users?filter=userName%20eq%20%22MANY.4711@acme.example%22')
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ userName: 'many.4711@acme.example' }] })
})
