import { exportAudit, listAudit, newTrail, recordAudit, recordDenial, verifyAudit } from '@svc/context'
import { type AuditEventRow } from '@svc/db'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createGatewayKey,
  createSession,
  createToken,
  createTrigger,
  deleteSecret,
  getProject,
  mergeChangeRequest,
  putSecret,
  sweepOldRecords,
} from '../src/index.ts'
import { addMember, addOwner } from '../src/testing/people.ts'
import { makeProject, type TestProject } from '../src/testing/projects.ts'
import { openWorld } from '../src/testing/world.ts'

const world = await openWorld()

async function events(account_id: string): Promise<AuditEventRow[]> {
  return world.db
    .selectFrom('audit_events')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('seq')
    .execute()
}

const verify = ({ ctx, account_id }: TestProject) => verifyAudit(ctx, { account_id })

test('a mutation and its event are written together, or neither is', async () => {
  const { ctx, account_id, project_id, owner } = await makeProject(world)
  const trail = newTrail('request-1', '192.0.2.1')
  const asked = { ...ctx, trail }
  await putSecret(asked, { project_id, name: 'KEY', value: 'the secret value' })
  expect((await events(account_id)).at(-1)).toMatchObject({
    action: 'putSecret',
    target: `projects/${project_id}/secrets/KEY`,
    actor_type: 'user',
    actor_id: owner.user_id,
    project_id,
    outcome: 'success',
    request_id: 'request-1',
    ip: '192.0.2.1',
  })
  const before = (await events(account_id)).length
  await expect(deleteSecret(ctx, { project_id, name: 'OTHER' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(
    world.db.transaction().execute(async (tx) => {
      await recordAudit(ctx, tx, { account_id, action: 'x', target: 'x' })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await events(account_id)).toHaveLength(before)
})

test('no event holds a secret', async () => {
  const own = await makeProject(world)
  const { ctx, project_id } = own
  const { token } = await createToken(ctx, { name: 'x' })
  const key = await createGatewayKey(ctx, { project_id, name: 'x' })
  await putSecret(ctx, { project_id, name: 'KEY', value: 'the secret value' })
  const { rows } = await sql<{ dump: string }>`select e::text as dump from audit_events e`.execute(world.db)
  const dump = JSON.stringify(rows)
  for (const secret of [token, key.token, 'the secret value']) expect(dump).not.toContain(secret)
})

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

describe('what a worker does', () => {
  test('stands in the log once it is done or refused, in the name of whoever asked', async () => {
    world.queue.live = true
    const { ctx, account_id, project_id, owner, propose, commit } = await makeProject(world)
    const asked = { ...ctx, trail: newTrail('request-9', '192.0.2.9') }
    const { cr_id } = await propose('topic')
    await mergeChangeRequest(asked, { project_id, cr: cr_id })
    const common = { actor_type: 'user', actor_id: owner.user_id, request_id: 'request-9', ip: '192.0.2.9' }
    const target = `projects/${project_id}/change-requests/${cr_id}`
    expect((await events(account_id)).at(-1)).toMatchObject({
      ...common,
      action: 'mergeChangeRequest',
      target,
      outcome: 'success',
    })

    const other = await propose('right', { 'README.md': 'right' })
    await commit('main', { 'README.md': 'main' })
    await expect(mergeChangeRequest(asked, { project_id, cr: other.cr_id })).rejects.toThrow()
    expect((await events(account_id)).at(-1)).toMatchObject({
      ...common,
      action: 'mergeChangeRequest',
      outcome: 'failed',
      details: { code: 'MERGE_CONFLICT' },
    })

    const slug = 'nightly'
    const trigger = { slug, type: 'cron', cron: '0 0 3 * * *', prompt_template: 'x' } as const
    await createTrigger(asked, { project_id, trigger })
    await expect(createTrigger(asked, { project_id, trigger })).rejects.toMatchObject({ code: 'conflict' })
    const edits = { ...common, action: 'createTrigger', target: `projects/${project_id}/triggers/${slug}` }
    expect((await events(account_id)).slice(-2)).toMatchObject([
      { ...edits, outcome: 'success', details: { changed: true } },
      { ...edits, outcome: 'failed', details: { code: 'conflict' } },
    ])
  })
})

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

describe('what is older than it is kept', () => {
  const day = 24 * 3_600_000
  const sweep = (SVC_AUDIT_DAYS: number) =>
    sweepOldRecords(world.base, { SVC_AUDIT_DAYS, SVC_SECRET_ACCESS_DAYS: 0 })

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
