import { randomUUID } from 'node:crypto'
import { type ChangeRequestEvent, changeRequestMachine, type ChangeRequestStatus } from '@svc/change-request'
import fc from 'fast-check'
import type { Updateable } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  accounts,
  type ChangeRequestChanges,
  type ChangeRequestRow,
  changeRequests,
  type Database,
  type Db,
  merges,
  projects,
} from '../src/index.ts'
import { type TestDatabase, testDatabase } from '../src/testing/index.ts'

const at = new Date('2026-03-04T05:06:07Z')
const sha = (digit: string) => digit.repeat(40)
let database: TestDatabase
let db: Db
let user_id: string
let account_id: string
let project_id: string

beforeAll(async () => {
  database = await testDatabase()
  db = database.db
  ;[account_id, user_id, project_id] = [randomUUID(), randomUUID(), randomUUID()]
  await accounts.createWithOwner(
    db,
    { account_id, name: 'Account', tier: 'self_host', created_at: at },
    { user_id, email: 'owner@svc.invalid', name: 'Owner', created_at: at },
  )
  await db
    .insertInto('projects')
    .values({
      project_id,
      account_id,
      name: 'Project',
      slug: 'project',
      kind: 'managed',
      repo_url: `managed:${project_id}`,
      default_branch: 'main',
      sealed_data_key: 'sealed',
      sealed_credential: null,
      created_by: user_id,
      created_at: at,
      updated_at: at,
      archived_at: null,
    })
    .execute()
})
afterAll(() => database.close())

async function open(head_ref: string = randomUUID()): Promise<ChangeRequestRow> {
  return db.transaction().execute(async (tx) =>
    changeRequests.insert(tx, {
      cr_id: randomUUID(),
      account_id,
      project_id,
      number: await projects.takeNumber(tx, project_id),
      title: 'Title',
      base_ref: 'main',
      head_ref,
      status: 'open',
      head_commit_sha: sha('a'),
      base_commit_sha: sha('b'),
      origin_session_id: null,
      created_by: user_id,
      merged_at: null,
      merged_by: null,
      merge_commit_sha: null,
      closed_at: null,
      closed_by: null,
      created_at: at,
      updated_at: at,
    }),
  )
}

const tips = { head_commit_sha: sha('a'), base_commit_sha: sha('b') }
const changesBy = (user_id: string): ChangeRequestChanges => ({
  merge: { ...tips, merge_commit_sha: sha('c'), merged_by: user_id },
  close: { closed_by: user_id },
  reopen: tips,
  edit: { title: 'Edited' },
  request_changes: { entry: { text: 'again', by: user_id, at: at.toISOString() } },
})

function apply(cr_id: string, event: ChangeRequestEvent): Promise<ChangeRequestRow | undefined> {
  return changeRequests.apply(db, cr_id, event, changesBy(user_id)[event], at)
}

test('rows go through the states of the table and no others, whatever the order of events', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.constantFrom(...changeRequestMachine.events), { maxLength: 12 }),
    async (events) => {
      const { cr_id } = await open()
      let status: ChangeRequestStatus = 'open'
      for (const event of events) {
        const expected: ChangeRequestStatus | null = changeRequestMachine.accepts(status, event)
          ? changeRequestMachine.to(event)
          : null
        const row = await apply(cr_id, event)
        expect(row?.status ?? null).toBe(expected)
        status = expected ?? status
      }
      const row = await changeRequests.find(db, { project_id, cr: cr_id })
      expect(row?.status).toBe(status)
      expect([row?.merged_at !== null, row?.closed_at !== null]).toEqual([
        status === 'merged',
        status === 'closed',
      ])
    },
  )
  await fc.assert(property, { numRuns: 60 })
})

test('a row in two states at once, or in half of one, is refused by the database itself', async () => {
  const field = <T>(value: T) => fc.option(fc.constant(value), { nil: null })
  const values = fc.record({
    status: fc.constantFrom(...changeRequestMachine.states),
    merged_at: field(at),
    merged_by: field(user_id),
    merge_commit_sha: field(sha('c')),
    closed_at: field(at),
    closed_by: field(user_id),
    head_commit_sha: field(sha('a')),
    base_commit_sha: field(sha('b')),
  })
  const seen = { taken: 0, refused: 0 }
  const property = fc.asyncProperty(values, async (patch) => {
    const { cr_id } = await open()
    const whole = (fields: readonly unknown[]) => fields.every((each) => each !== null)
    const merged = whole([patch.merged_at, patch.merged_by, patch.merge_commit_sha])
    const closed = whole([patch.closed_at, patch.closed_by])
    const legal =
      (patch.status === 'merged') === merged &&
      (patch.status === 'closed') === closed &&
      (patch.status !== 'merged' || whole([patch.head_commit_sha, patch.base_commit_sha]))
    const update = db.updateTable('change_requests').set(patch).where('cr_id', '=', cr_id).execute()
    if (legal) await update
    else await expect(update).rejects.toMatchObject({ code: '23514' })
    seen[legal ? 'taken' : 'refused'] += 1
  })
  await fc.assert(property, { numRuns: 150 })
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(0)
})

test('a merged row never changes again, whichever column is tried', async () => {
  const { cr_id } = await open()
  await apply(cr_id, 'merge')
  const before = await changeRequests.find(db, { project_id, cr: cr_id })
  const patches: Updateable<Database['change_requests']>[] = [
    { title: 'x' },
    { description: 'x' },
    { number: 1_000_000 },
    { status: 'open', merged_at: null, merged_by: null, merge_commit_sha: null },
    { merge_commit_sha: sha('d') },
    { head_commit_sha: sha('d') },
    { base_commit_sha: sha('d') },
    { metadata: '{"requested_changes":[]}' },
    { updated_at: new Date() },
  ]
  for (const patch of patches) {
    const update = db.updateTable('change_requests').set(patch).where('cr_id', '=', cr_id).execute()
    await expect(update).rejects.toMatchObject({ code: '23514' })
  }
  for (const event of changeRequestMachine.events) {
    expect(await apply(cr_id, event)).toBeUndefined()
  }
  const others = { head_commit_sha: sha('e'), base_commit_sha: sha('e') }
  expect(await changeRequests.refreshTips(db, [{ cr_id, ...others }], at)).toEqual([])
  expect(await changeRequests.find(db, { project_id, cr: cr_id })).toEqual(before)
})

test('numbers are unique and never used again, also when their transaction is lost', async () => {
  const property = fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 10 }), async (kept) => {
    const taken = await Promise.allSettled(
      kept.map((keep) =>
        db.transaction().execute(async (tx) => {
          const number = await projects.takeNumber(tx, project_id)
          if (!keep) throw new Error('lost')
          return number
        }),
      ),
    )
    const numbers = taken.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers.length).toBe(kept.filter(Boolean).length)
  })
  await fc.assert(property, { numRuns: 20 })
  const rows = await db.selectFrom('change_requests').select('number').execute()
  expect(new Set(rows.map((row) => row.number)).size).toBe(rows.length)
})

test('one pair of branches has one open change request, by whatever way it came to be open', async () => {
  const first = await open('pair')
  await expect(open('pair')).rejects.toMatchObject({ code: '23505' })
  await apply(first.cr_id, 'close')
  const second = await open('pair')
  await expect(apply(first.cr_id, 'reopen')).rejects.toMatchObject({
    code: '23505',
  })
  await apply(second.cr_id, 'merge')
  expect((await apply(first.cr_id, 'reopen'))?.status).toBe('open')
})

test('between plan and end of a merge nothing closes the row, and there is one plan', async () => {
  const { cr_id } = await open()
  const attempt_id = randomUUID()
  await merges.insertAttempt(db, {
    attempt_id,
    cr_id,
    project_id,
    requested_by: user_id,
    message: null,
    expected_head_sha: null,
    expected_base_sha: null,
    created_at: at,
    finished_at: null,
  })
  const plan = () => ({
    intent_id: randomUUID(),
    attempt_id,
    cr_id,
    base_ref: 'main',
    base_sha: sha('b'),
    head_sha: sha('a'),
    commit_sha: sha('c'),
    fast_forward: false,
    created_at: at,
  })
  const intent = plan()
  await merges.insertIntent(db, intent)
  await expect(merges.insertIntent(db, plan())).rejects.toMatchObject({ code: '23505' })
  expect(await apply(cr_id, 'close')).toBeUndefined()
  expect(await merges.settleIntent(db, intent.intent_id, 'abandon')).toBe(true)
  expect(await merges.settleIntent(db, intent.intent_id, 'move')).toBe(false)
  expect((await apply(cr_id, 'close'))?.status).toBe('closed')
})
