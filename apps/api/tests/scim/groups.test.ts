import { randomUUID } from 'node:crypto'
import { projects } from '@svc/db'
import { describe, expect, test } from 'vitest'
import { addPerson, mint } from '../support/credentials.ts'
import { groupSchema, off, on, openScim } from '../support/scim.ts'

const scim = await openScim()
const { db, v1 } = scim
const project_id = await scim.newProject('One')
const other_project_id = await scim.newProject('Two')

describe('groups', () => {
  const give = (group_id: string, json: object) =>
    v1(`/accounts/${scim.account_id}/groups/${group_id}/roles`, scim.platform.owner.token, 'PUT', json)
  const rolesOf = async (user_id: string, of = project_id) => {
    const found = await projects.findForUser(db, of, user_id)
    return [found?.account_role, found?.member_role]
  }
  const newGroup = async (...ids: string[]) => {
    const members = ids.map((value) => ({ value }))
    const body = { schemas: [groupSchema], displayName: randomUUID(), members }
    return (await scim.ask('POST', '/Groups', body)).pick('id')
  }

  test('give what an admin says, to who is in them, and take it back', async () => {
    const [ada, bob] = [await scim.addUser(), await scim.addUser()]
    const group = await newGroup(ada.id)
    expect(await rolesOf(ada.id)).toEqual(['member', null])
    const editors = { projects: [{ project_id, role: 'editor' }] }
    expect(await give(group, editors)).toMatchObject({ status: 200, body: { members: 1, ...editors } })
    expect(await rolesOf(ada.id)).toEqual(['member', 'editor'])
    await scim.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: bob.id }] })
    expect(await rolesOf(bob.id)).toEqual(['member', 'editor'])
    const { token } = await mint(db, { kind: 'project', user_id: bob.id, project_id })
    await give(group, { account_role: 'admin', projects: [{ project_id: other_project_id, role: 'viewer' }] })
    expect(await rolesOf(bob.id)).toEqual(['admin', null])
    expect(await rolesOf(bob.id, other_project_id)).toEqual(['admin', 'viewer'])
    expect(await v1(`/projects/${project_id}`, token)).toMatchObject({ status: 401 })
    await scim.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${bob.id}"]` })
    expect(await rolesOf(bob.id, other_project_id)).toEqual(['member', null])
    await scim.patch(`/Users/${ada.id}`, off)
    expect(await rolesOf(ada.id, other_project_id)).toEqual([null, null])
    await scim.patch(`/Users/${ada.id}`, on)
    expect(await rolesOf(ada.id, other_project_id)).toEqual(['admin', 'viewer'])
    await scim.ask('DELETE', `/Groups/${group}`)
    expect(await rolesOf(ada.id, other_project_id)).toEqual(['member', null])
  })

  test('the strongest of several counts; what was given by hand stays', async () => {
    const { id } = await scim.addUser()
    const [viewers, managers] = [await newGroup(id), await newGroup(id)]
    await give(viewers, { projects: [{ project_id, role: 'viewer' }] })
    await give(managers, { projects: [{ project_id, role: 'manager' }] })
    expect(await rolesOf(id)).toEqual(['member', 'manager'])
    await scim.ask('DELETE', `/Groups/${managers}`)
    expect(await rolesOf(id)).toEqual(['member', 'viewer'])
    const path = `/projects/${project_id}/members/${id}`
    expect(await v1(path, scim.platform.owner.token, 'PUT', { role: 'editor' })).toMatchObject({
      status: 200,
    })
    await give(viewers, { projects: [{ project_id, role: 'manager' }] })
    expect(await rolesOf(id)).toEqual(['member', 'editor'])
    await scim.ask('DELETE', `/Groups/${viewers}`)
    expect(await rolesOf(id)).toEqual(['member', 'editor'])
  })

  test('give no roles on projects of another account, and members do not say what they give', async () => {
    const group = await newGroup()
    const rival = await scim.platform.stranger()
    const json = { name: 'Theirs' }
    const theirs = await v1('/projects/provision', rival.token, 'POST', json)
    const foreign = { projects: [{ project_id: theirs.pick('project_id'), role: 'manager' }] }
    expect(await give(group, foreign)).toMatchObject({ status: 404 })
    const member = await addPerson(db, scim.account_id, 'member')
    const path = `/accounts/${scim.account_id}/groups`
    expect(await v1(path, member.token)).toMatchObject({ status: 403 })
    expect(await v1(`${path}/${group}/roles`, member.token, 'PUT', {})).toMatchObject({ status: 403 })
    expect((await v1(path, scim.platform.owner.token)).text).toContain(group)
  })
})
