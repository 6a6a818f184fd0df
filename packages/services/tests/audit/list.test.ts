import { exportAudit, listAudit, recordAudit, verifyAudit } from '@svc/context'
import { describe, expect, test } from 'vitest'
import { addMember, addOwner, makeProject, openWorld } from '../../src/testing/index.ts'

const world = await openWorld()

describe('the list', () => {
  test('is paged, filtered and exported in the order of the chain', async () => {
    const { ctx, account_id, project_id, owner } = await makeProject(world)
    const start = world.clock.now()
    for (let n = 0; n < 7; n++) {
      world.clock.advance(1000)
      const action = n % 2 === 0 ? 'even' : 'odd'
      await recordAudit(ctx, world.db, { account_id, project_id, action, target: `t/${n}` })
    }
    const targets = async (query: Partial<Parameters<typeof listAudit>[1]> = {}) =>
      (await listAudit(ctx, { account_id, limit: 50, ...query })).events.map(({ target }) => target)
    expect((await targets()).slice(0, 3)).toEqual(['t/6', 't/5', 't/4'])
    expect(await targets({ action: 'odd' })).toEqual(['t/5', 't/3', 't/1'])
    const at = (seconds: number) => new Date(start.getTime() + seconds * 1000).toISOString()
    expect(await targets({ since: at(2), until: at(4) })).toEqual(['t/2', 't/1'])
    expect(await targets({ actor: owner.user_id, project_id, action: 'even' })).toHaveLength(4)
    expect(await targets({ actor: 'nobody' })).toEqual([])
    expect(await targets({ outcome: 'denied' })).toEqual([])

    const paged: string[] = []
    let cursor: string | undefined
    do {
      const page = await listAudit(ctx, { account_id, limit: 3, cursor })
      paged.push(...page.events.map(({ target }) => target))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(paged).toEqual(await targets())
    const exported: string[] = []
    for await (const event of await exportAudit(ctx, { account_id })) exported.push(event.target)
    expect(exported).toEqual(paged.reverse())
  })

  test('is for admins of accounts whose plan holds it', async () => {
    const own = await makeProject(world)
    const query = { account_id: own.account_id, limit: 50 }
    const member = world.as((await addMember(world, own, 'manager')).principal)
    await expect(listAudit(member, query)).rejects.toMatchObject({ code: 'forbidden' })
    const stranger = world.as((await addOwner(world)).principal)
    await expect(listAudit(stranger, query)).rejects.toMatchObject({ code: 'not_found' })
    const poor = await addOwner(world, 'free')
    const denied = { code: 'entitlement_required', details: { entitlement: 'auditAccess' } }
    const asPoor = world.as(poor.principal)
    await expect(listAudit(asPoor, { account_id: poor.account_id, limit: 1 })).rejects.toMatchObject(denied)
    await expect(exportAudit(asPoor, { account_id: poor.account_id })).rejects.toMatchObject(denied)
    await expect(verifyAudit(asPoor, { account_id: poor.account_id })).rejects.toMatchObject(denied)
  })
})
