import { randomUUID } from 'node:crypto'
import { accountDomains, members, userCredentials } from '@svc/db'
import { describe, expect, test } from 'vitest'
import { addPerson } from '../support/credentials.ts'
import { groupSchema, messages, off, openScim, userSchema } from '../support/scim.ts'
import { connectRival } from './rival.ts'
import { routes } from './routes.ts'

const scim = await openScim()
const { db, v1, events } = scim
const rival = await connectRival(scim)

describe('two accounts', () => {
  test('a directory takes nobody of a mail domain that another account has proved', async () => {
    const prove = async (account_id: string) => {
      const [domain, now] = [`${randomUUID()}.example`, new Date()]
      const claimed = { challenge: 'x', now, expires_at: new Date(now.getTime() + 60_000) }
      await accountDomains.claim(db, { account_id, domain }, claimed)
      await accountDomains.prove(db, { account_id, domain }, now)
      return domain
    }
    const [own, foreign] = [await prove(scim.account_id), await prove(rival.account_id)]
    const add = (userName: string) => scim.ask('POST', '/Users', { schemas: [userSchema], userName })
    const [there, created_at] = [randomUUID(), new Date()]
    const email = `ada@${foreign}`
    await db.insertInto('users').values({ user_id: there, email, name: 'Ada', created_at }).execute()
    for (const userName of [email, `eve@${foreign.toUpperCase()}`])
      expect(await add(userName)).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await members.find(db, { account_id: scim.account_id, user_id: there })).toBeUndefined()
    for (const domain of [own, `sub.${foreign}`]) expect((await add(`ada@${domain}`)).status).toBe(201)
  })

  test('a directory finds nothing of another account, by path or by id, and its own log says so', async () => {
    const mine = await scim.addUser()
    const group = await scim.ask('POST', '/Groups', { schemas: [groupSchema], displayName: randomUUID() })
    for (const [method, path] of routes.filter(([, path]) => path !== '/Me' && path !== '/Bulk')) {
      const id = path.startsWith('/Groups') ? group.pick('id') : mine.id
      const at = path.replace('{id}', id)
      const body =
        method === 'GET' || method === 'DELETE' ? undefined : { schemas: [userSchema], userName: 'x@y.zz' }
      const foreign = await scim.ask(method, at, body, { token: rival.directory })
      expect(foreign.status, `${method} ${path}`).toBe(404)
      if (!path.includes('{id}')) continue
      const own = { token: rival.directory, account_id: rival.account_id }
      const patch = { schemas: [`${messages}:PatchOp`], Operations: [off] }
      const inOwn = await scim.ask(method, at, method === 'PATCH' ? patch : body, own)
      expect(inOwn.status, `${method} ${path} in their own account`).toBe(404)
    }
    expect(await scim.ask('GET', `/Users/${mine.id}`)).toMatchObject({ body: { active: true } })
    const denied = await events(rival.account_id, 'deleteScimUser')
    expect(denied).toMatchObject([{ outcome: 'denied', details: { status: 404 }, actor_type: 'scim' }])
    expect(await events(scim.account_id, 'deleteScimUser')).toEqual([])
    const all = await scim.ask('GET', '/Users', undefined, {
      token: rival.directory,
      account_id: rival.account_id,
    })
    expect(all).toMatchObject({ body: { totalResults: 1, Resources: [{ id: rival.user_id }] } })
  })

  test('a group takes nobody of another account', async () => {
    const members = [{ value: rival.user_id }]
    const body = { schemas: [groupSchema], displayName: randomUUID(), members }
    expect(await scim.ask('POST', '/Groups', body)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    })
  })

  test('somebody who is there is linked; their password, address, name and other account stay as they were', async () => {
    const person = await addPerson(db, rival.account_id, 'member')
    await userCredentials.setPassword(db, person.user_id, '$argon2id$v=19$x', new Date())
    const before = await userCredentials.find(db, person.user_id)
    const body = {
      schemas: [userSchema],
      userName: before?.email,
      displayName: 'Renamed',
      password: 'another',
    }
    const linked = await scim.ask('POST', '/Users', body)
    expect(linked).toMatchObject({ status: 201, body: { id: person.user_id, displayName: 'Renamed' } })
    const rename = { op: 'replace', path: 'emails', value: [{ value: 'attacker@acme.example' }] }
    expect(await scim.patch(`/Users/${person.user_id}`, rename)).toMatchObject({ status: 200 })
    expect(await userCredentials.find(db, person.user_id)).toEqual(before)
    expect(await v1(`/accounts/${scim.account_id}/members`, person.token)).toMatchObject({ status: 200 })
    expect(await scim.patch(`/Users/${person.user_id}`, off)).toMatchObject({ status: 200 })
    expect(await v1(`/accounts/${scim.account_id}/members`, person.token)).toMatchObject({ status: 404 })
    expect(await v1(`/accounts/${rival.account_id}/members`, person.token)).toMatchObject({ status: 200 })
    const back = { op: 'replace', path: 'active', value: true }
    expect(await scim.patch(`/Users/${person.user_id}`, back)).toMatchObject({ status: 200 })
    expect(await v1(`/accounts/${scim.account_id}/members`, person.token)).toMatchObject({ status: 200 })
  })
})
