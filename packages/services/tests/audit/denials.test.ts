import { newTrail, recordDenial, verifyAudit } from '@svc/context'
import { describe, expect, test } from 'vitest'
import { getProject } from '../../src/index.ts'
import { addMember, addOwner, makeProject, openWorld } from '../../src/testing/index.ts'
import { eventsOf } from '../support/audit-events.ts'

const world = await openWorld()
const events = eventsOf(world)

describe('recordDenial', () => {
  const answered = (status: number) => ({
    action: 'updateSession',
    target: 'projects/p\0/sessions/s',
    status,
  })

  test('writes what was denied, and nothing else', async () => {
    const { ctx, account_id, project_id } = await makeProject(world)
    const before = await events(account_id)
    for (const status of [200, 201, 409, 400, 404])
      await recordDenial({ ...ctx, trail: newTrail('r', null) }, answered(status))
    expect(await events(account_id)).toHaveLength(before.length)
    const trail = newTrail('r', null)
    const asked = { ...ctx, trail }
    await getProject(asked, { project_id })
    expect(trail.subject).toEqual({ account_id, project_id })
    await recordDenial(asked, answered(403))
    expect((await events(account_id)).at(-1)).toMatchObject({
      action: 'updateSession',
      target: 'projects/p?/sessions/s',
      outcome: 'denied',
      project_id,
    })
  })

  test('writes into the account that it was about, or a stranger’s own', async () => {
    const { ctx, account_id, project_id } = await makeProject(world)
    const member = await addMember(world, { account_id, project_id }, null)
    const stranger = await addOwner(world)
    const own = (await events(account_id)).length
    for (const [person, log] of [
      [member, account_id],
      [stranger, stranger.account_id],
    ] as const) {
      const trail = newTrail('r', null)
      const denied = { ...world.as(person.principal), trail }
      await expect(getProject(denied, { project_id })).rejects.toMatchObject({ code: 'not_found' })
      await recordDenial(denied, answered(404))
      expect((await events(log)).at(-1)).toMatchObject({
        outcome: 'denied',
        actor_id: person.user_id,
        details: { status: 404 },
      })
    }
    expect(await events(account_id)).toHaveLength(own + 1)
    expect(await verifyAudit(ctx, { account_id })).toMatchObject({ valid: true })
  })
})
