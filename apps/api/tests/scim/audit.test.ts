import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { groupSchema, off, openScim } from '../support/scim.ts'

const scim = await openScim()
const { db, v1 } = scim

test('every change left one event, changes that change nothing left none, and the chain is whole', async () => {
  const count = async () =>
    (await db.selectFrom('audit_events').select('seq').where('account_id', '=', scim.account_id).execute())
      .length
  const steps: readonly (readonly [number, () => Promise<{ status: number }>])[] = await (async () => {
    const { id } = await scim.addUser()
    const group = await scim.ask('POST', '/Groups', { schemas: [groupSchema], displayName: randomUUID() })
    const add = { op: 'add', path: 'members', value: [{ value: id }] }
    const title = { op: 'add', path: 'title', value: 'x' }
    return [
      [1, () => scim.patch(`/Users/${id}`, title)],
      [0, () => scim.patch(`/Users/${id}`, title)],
      [1, () => scim.patch(`/Groups/${group.pick('id')}`, add)],
      [0, () => scim.patch(`/Groups/${group.pick('id')}`, add)],
      [1, () => scim.patch(`/Users/${id}`, off)],
      [0, () => scim.patch(`/Users/${id}`, off)],
      [1, () => scim.ask('DELETE', `/Groups/${group.pick('id')}`)],
      [1, () => scim.ask('DELETE', `/Users/${id}`)],
      [0, () => scim.ask('DELETE', `/Users/${id}`)],
      [0, () => scim.ask('GET', '/Users')],
    ] as const
  })()
  for (const [index, [events, step]] of steps.entries()) {
    const before = await count()
    await step()
    expect((await count()) - before, `step ${index}`).toBe(events)
  }
  const verdict = await v1(`/accounts/${scim.account_id}/audit/verify`, scim.platform.owner.token)
  expect(verdict).toMatchObject({ body: { valid: true } })
})
