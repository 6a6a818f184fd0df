import { recordAudit, verifyAudit } from '@svc/context'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSession, putSecret } from '../../src/index.ts'
import { makeProject, openWorld, type TestProject } from '../../src/testing/index.ts'
import { eventsOf } from '../support/audit-events.ts'

const world = await openWorld()
const events = eventsOf(world)
const verify = ({ ctx, account_id }: TestProject) => verifyAudit(ctx, { account_id })

describe('the chain', () => {
  let own: TestProject
  beforeAll(async () => {
    own = await makeProject(world)
  })

  const fill = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const details = { n, text: 'ünï\0code', nested: [{ z: 1.5, a: null }] }
      await recordAudit(own.ctx, world.db, { account_id: own.account_id, action: 'x', target: 'x', details })
    }
  }

  /** Verifies the log after a change that an attacker with the database's own rights could make, then takes it back. */
  async function tampered(change: (account_id: string, seq: number) => Promise<unknown>, seq: number) {
    const { account_id } = own
    const rows = await events(account_id)
    await sql`alter table audit_events disable trigger user`.execute(world.db)
    try {
      await change(account_id, seq)
      return await verify(own)
    } finally {
      await world.db.deleteFrom('audit_events').where('account_id', '=', account_id).execute()
      const kept = rows.map((row) => ({ ...row, details: JSON.stringify(row.details) }))
      await world.db.insertInto('audit_events').values(kept).execute()
      await sql`alter table audit_events enable trigger user`.execute(world.db)
    }
  }

  test('is whole after ordinary use, beyond one batch', async () => {
    await fill(520)
    const { length } = await events(own.account_id)
    const last = (await events(own.account_id)).at(-1)
    expect(await verify(own)).toEqual({ valid: true, events: length, head_hash: last?.hash, broken: null })
  })

  test('refuses changes and removals', async () => {
    const { account_id } = own
    const update = world.db
      .updateTable('audit_events')
      .set({ target: 'y' })
      .where('account_id', '=', account_id)
    await expect(update.execute()).rejects.toThrow('append-only')
    const remove = world.db.deleteFrom('audit_events').where('account_id', '=', account_id)
    await expect(remove.execute()).rejects.toThrow('append-only')
    await expect(sql`truncate audit_events`.execute(world.db)).rejects.toThrow('append-only')
  })

  test.each([
    ['a changed target', sql`target = 'y'`],
    ['a changed instant', sql`at = at + interval '1 second'`],
    ['another actor', sql`actor_id = 'somebody else'`],
    ['another outcome', sql`outcome = 'denied'`],
    ['changed details', sql`details = '{"n": 7}'`],
    ['a changed hash', sql`hash = 'x'`],
  ])('shows %s', async (_, change) => {
    const verdict = await tampered(
      (account_id, seq) =>
        sql`update audit_events set ${change} where account_id = ${account_id} and seq = ${seq}`.execute(
          world.db,
        ),
      9,
    )
    expect(verdict).toMatchObject({ valid: false, events: 8, broken: { seq: 9 } })
  })

  test('shows a removed event, and a removed end', async () => {
    const remove = (account_id: string, seq: number) =>
      world.db
        .deleteFrom('audit_events')
        .where('account_id', '=', account_id)
        .where('seq', '=', seq)
        .execute()
    const { length } = await events(own.account_id)
    expect(await tampered(remove, 9)).toMatchObject({ valid: false, broken: { seq: 10, reason: 'gap' } })
    expect(await tampered(remove, length)).toMatchObject({
      valid: false,
      broken: { seq: length, reason: 'missing' },
    })
    expect(await verify(own)).toMatchObject({ valid: true })
  })

  test('grows in one line under many writers, each within its transaction', async () => {
    const { ctx, project_id, account_id } = await makeProject(world)
    const before = (await events(account_id)).length
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 4 === 0
          ? createSession(ctx, { project_id, respond_async: false, body: {} })
          : putSecret(ctx, { project_id, name: `KEY_${n}`, value: 'x' }),
      ),
    )
    const rows = await events(account_id)
    expect(rows).toHaveLength(before + 40)
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1))
    expect(await verifyAudit(ctx, { account_id })).toMatchObject({ valid: true, events: before + 40 })
  })
})
