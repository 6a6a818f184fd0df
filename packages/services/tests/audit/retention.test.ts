import { listAudit, recordAudit, verifyAudit } from '@svc/context'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sweepOldRecords } from '../../src/index.ts'
import { makeProject, openWorld, type TestProject } from '../../src/testing/index.ts'
import { eventsOf } from '../support/audit-events.ts'

const world = await openWorld()
const events = eventsOf(world)
const verify = ({ ctx, account_id }: TestProject) => verifyAudit(ctx, { account_id })

describe('what is older than it is kept', () => {
  const day = 24 * 3_600_000
  const keepsAll = { SVC_SECRET_ACCESS_DAYS: 0, SVC_DELETED_SESSION_DAYS: 0, SVC_WORK_HISTORY_DAYS: 0 }
  const sweep = (SVC_AUDIT_DAYS: number) => sweepOldRecords(world.worker(), { ...keepsAll, SVC_AUDIT_DAYS })

  test('goes from the beginning of the chain, which stays whole and says so', async () => {
    const own = await makeProject(world)
    const { ctx, account_id } = own
    const note = (target: string) => recordAudit(ctx, world.db, { account_id, action: 'x', target })
    await note('old')
    const old = (await events(account_id)).length
    world.clock.advance(10 * day)
    for (const target of ['a', 'b', 'c']) await note(target)
    world.clock.advance(25 * day)

    const whole = await events(account_id)
    expect(await sweep(0)).toBe(0)
    expect(await sweep(36)).toBe(0)
    expect(await events(account_id)).toEqual(whole)
    // Of two at once one prunes.
    await Promise.all([sweep(30), sweep(30)])
    const left = await events(account_id)
    const last = whole[old - 1]
    expect(left.map(({ target }) => target)).toEqual(['a', 'b', 'c', `accounts/${account_id}/audit`])
    expect(left[0]).toMatchObject({ seq: old + 1, prev_hash: last?.hash })
    expect(left.at(-1)).toMatchObject({
      ...{ action: 'pruneAudit', actor_type: 'system', actor_id: 'retention' },
      details: { events: old, through_seq: old, through_hash: last?.hash },
    })
    const verdict = { valid: true, events: 4, head_hash: left.at(-1)?.hash, broken: null }
    expect(await verify(own)).toEqual(verdict)
    expect((await listAudit(ctx, { account_id, limit: 50 })).events).toHaveLength(4)
    // A day's worth at once: what is barely too old waits.
    world.clock.advance(5 * day + 1)
    await sweep(30)
    expect(await events(account_id)).toEqual(left)

    // An attacker who takes away more than the anchor says is found.
    const remove = world.db.deleteFrom('audit_events').where('account_id', '=', account_id)
    await expect(remove.execute()).rejects.toThrow('append-only')
    await sql`alter table audit_events disable trigger user`.execute(world.db)
    await remove.where('seq', '=', old + 1).execute()
    await sql`alter table audit_events enable trigger user`.execute(world.db)
    expect(await verify(own)).toMatchObject({ valid: false, broken: { seq: old + 2, reason: 'gap' } })
  })

  test('goes by an anchor that nobody sets at will, and never all of it', async () => {
    const { ctx, account_id } = await makeProject(world)
    const note = () => recordAudit(ctx, world.db, { account_id, action: 'x', target: 'x' })
    await note()
    await note()
    const [first] = await events(account_id)
    if (!first) throw new Error('there are no events')
    const { seq, at, hash } = first
    const anchor = { account_id, seq, at, hash }
    const set = (row: typeof anchor) => world.db.insertInto('audit_anchors').values(row).execute()
    await expect(set({ ...anchor, hash: 'forged' })).rejects.toThrow('an event of the chain')
    await expect(set({ ...anchor, seq: 100 })).rejects.toThrow('an event of the chain')
    await set(anchor)
    const own = world.db.updateTable('audit_anchors').where('account_id', '=', account_id)
    await expect(own.set({ seq }).execute()).rejects.toThrow('forward')
    const remove = world.db.deleteFrom('audit_anchors').where('account_id', '=', account_id)
    await expect(remove.execute()).rejects.toThrow('append-only')
    for (let n = 0; n < 2; n += 1) {
      world.clock.advance(100 * day)
      await sweep(30)
      const left = await events(account_id)
      expect(left.map(({ action }) => action)).toEqual(['pruneAudit'])
      expect(await verifyAudit(ctx, { account_id })).toMatchObject({ valid: true, events: 1 })
    }
  })
})
