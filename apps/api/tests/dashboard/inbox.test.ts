import { randomUUID } from 'node:crypto'
import { sessionEvents, sessions } from '@svc/db'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addPerson } from '../support/credentials.ts'
import { openWorld } from '../support/world.ts'

const { platform, api, ask, newProject, token, account_id } = await openWorld()
const { db } = platform.parts

interface Item {
  readonly item_id: string
  readonly version: string
  readonly kind: string
  readonly [key: string]: unknown
}

async function inbox(query = '', who = token) {
  const answer = await platform.call(`/v1/inbox${query}`, { token: who })
  expect(answer.status, answer.text).toBe(200)
  const page = answer.body as { items: Item[]; counts: Record<string, number>; next_cursor: string | null }
  if (!/(?:project|session)_id=/.test(query)) await agrees(page.counts, who)
  return page
}

/** The number is read by another statement than the list, and says the same. */
async function agrees({ total, ...by_kind }: Readonly<Record<string, number>>, who: string): Promise<void> {
  const counted = await platform.call('/v1/inbox/count', { token: who })
  expect(counted.body).toMatchObject({ total, by_kind })
}

/** A session as it is while its agent works. */
async function running(project_id: string, prompt: string): Promise<string> {
  const made = await ask('POST', `/v1/projects/${project_id}/sessions`, { initial_prompt: prompt })
  const session_id = made.pick('session_id')
  const started = { status: 'running', started_at: new Date() } as const
  await db.updateTable('project_sessions').set(started).where('session_id', '=', session_id).execute()
  return session_id
}

async function tell(session_id: string, type: string, payload: Record<string, unknown>): Promise<void> {
  await sessionEvents.append(db, session_id, [{ type, at: new Date(), payload }])
}

const permission = (request_id: string, more: object = {}) => ({
  ...{ request_id, permission: 'bash', patterns: ['git push *'], state: 'asked' },
  ...more,
})

test('what waits is read from its rows, asks first, and goes when it is over', async () => {
  const project_id = await newProject('Checkout')
  const first = await running(project_id, '## Add **gift** cards\nand tests')
  const second = await running(project_id, 'Which colour?')
  const input = { command: 'for i in 1 2; do echo $i; done; git push' }
  await tell(first, 'tool', { message_id: 'm', call_id: 'c1', tool: 'bash', status: 'running', input })
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  await tell(first, 'permission', permission('per_1', { expires_at: at(900_000) }))
  const questions = [{ header: 'Colour', question: 'Which colour?', options: [{ label: 'Blue' }] }]
  await tell(second, 'question', { request_id: 'que_1', questions, state: 'asked', expires_at: at(60_000) })
  const broken = await running(project_id, 'Fail')
  const failure = { category: 'image', message: 'There is no such image', retryable: false } as const
  await sessions.apply(db, broken, 'fail', { failure }, new Date())

  const { items, counts } = await inbox()
  expect(items.map(({ kind, title, phrase }) => [kind, title, phrase])).toEqual([
    ['question', 'Which colour?', 'Which colour?'],
    ['permission', 'Add gift cards', `Wants to run ${input.command}`],
    ['session_failed', 'Fail', 'There is no such image'],
  ])
  expect(counts).toMatchObject({ total: 3, question: 1, permission: 1, session_failed: 1, change_request: 0 })
  expect(items[1]).toMatchObject({
    item_id: `permission:${first}.per_1`,
    ...{ project_id, project_name: 'Checkout', session_id: first, request_id: 'per_1' },
    ...{ cr_number: null, slug: null, fire_id: null, risk: null, safe: false, count: null, verdicts: [] },
    path: `/projects/${project_id}/sessions/${first}`,
    expires_at: expect.any(String),
  })
  const stored = await db.selectFrom('session_asks').selectAll().where('session_id', '=', first).execute()
  expect(stored).toMatchObject([
    { state: 'asked', tool: { call_id: 'c1', tool: 'bash', input }, ended_at: null },
  ])

  // Summaries tell the same of each.
  const summaries = await ask('GET', `/v1/projects/${project_id}/session-summaries?state=waiting`)
  expect(summaries.body).toMatchObject({
    sessions: [
      { session_id: second, title: 'Which colour?', state: 'waiting', phrase: 'Which colour?' },
      {
        session_id: first,
        title: 'Add gift cards',
        state: 'waiting',
        phrase: 'Wants to run for i in 1 2; do echo $i; done; git push',
      },
    ],
    counts: { total: 3, waiting: 2, failed: 1, working: 0 },
    next_cursor: null,
  })
  // One row of a list, if the list has it.
  const found = async (query: string) => {
    const { body } = await ask(
      'GET',
      `/v1/projects/${project_id}/session-summaries?session_id=${first}${query}`,
    )
    return (body as { readonly sessions: readonly { readonly session_id: string }[] }).sessions.map(
      ({ session_id }) => session_id,
    )
  }
  expect(await found('&state=waiting&q=gift')).toEqual([first])
  expect([await found('&state=failed'), await found('&q=colour')]).toEqual([[], []])

  const mark = (item: Item | undefined, json: object) =>
    ask('PUT', `/v1/inbox/${encodeURIComponent(item?.item_id ?? '')}`, { version: item?.version, ...json })
  expect(await mark(items[1], { state: 'done' })).toMatchObject({
    status: 409,
    body: { code: 'ASK_PENDING' },
  })
  expect(
    await mark({ ...items[2], item_id: `session_failed:${randomUUID()}` } as Item, { state: 'done' }),
  ).toMatchObject({
    status: 404,
  })

  await tell(first, 'permission', { request_id: 'per_1', state: 'replied' })
  await tell(second, 'question', { request_id: 'que_1', state: 'timed_out' })
  await tell(second, 'question', { request_id: 'que_1', state: 'expired' })
  const ended = await db.selectFrom('session_asks').select(['state']).orderBy('request_id').execute()
  expect(ended).toEqual([{ state: 'replied' }, { state: 'timed_out' }])
  expect((await inbox()).items.map(({ kind }) => kind)).toEqual(['session_failed'])

  expect(await mark(items[2], { state: 'done' })).toMatchObject({ status: 204 })
  expect((await inbox()).counts).toMatchObject({ total: 0 })
  // It was started again, and failed again.
  await sql`update project_sessions set provisioning_at = now() + interval '1 second' where session_id = ${broken}`.execute(
    db,
  )
  const again = await inbox(`?project_id=${project_id}&kind=session_failed&session_id=${broken}`)
  expect(again.items).toMatchObject([{ item_id: items[2]?.item_id }])
  const [back] = again.items
  const acted = await ask('POST', '/v1/inbox/act', {
    items: [
      { item_id: back?.item_id, version: back?.version, verdict: 'approve' },
      { item_id: 'session_failed:x', version: '1', verdict: 'dismiss' },
      { item_id: back?.item_id, version: back?.version, verdict: 'snooze', until: at(60_000) },
    ],
  })
  expect(acted.body).toMatchObject({
    results: [{ ok: false, code: 'not_safe_in_bulk' }, { ok: false, code: 'not_found' }, { ok: true }],
  })
  expect((await inbox()).items).toEqual([])
  await sql`update inbox_marks set until = now() - interval '1 second'`.execute(db)
  expect((await inbox()).items).toHaveLength(1)
})

test('change requests, triggers, manifests and secrets wait for those who may do something', async () => {
  const project_id = await newProject('Rights')
  const now = new Date()
  const of = { account_id, project_id, created_by: platform.owner.user_id, created_at: now, updated_at: now }
  const cr_id = randomUUID()
  await db
    .insertInto('change_requests')
    .values({
      ...of,
      cr_id,
      number: 1,
      title: 'Discounts',
      base_ref: 'main',
      head_ref: 'x',
      status: 'open',
      head_commit_sha: 'a'.repeat(40),
    })
    .execute()
  await sql`insert into project_triggers (project_id, slug, position, type, definition, enabled, agent_error, last_status, last_error,
    last_attempt_at, created_at, updated_at) values (${project_id}, 'nightly', 0, 'cron', '{}', true, 'none', 'failed',
    'secret missing', now(), now(), now())`.execute(db)
  const manifest = { errors: 2, path: 'agents', message: 'must be a map', required_secrets: ['STRIPE_KEY'] }
  await sql`insert into trigger_catalogues (project_id, tip_sha, source, check_at, checked_at, manifest)
    values (${project_id}, 'x', 'x', now(), now(), ${JSON.stringify(manifest)}::jsonb)
    on conflict (project_id) do update set checked_at = now(), source = 'x', manifest = excluded.manifest`.execute(
    db,
  )
  await inbox()
  const { items, counts } = await inbox(`?project_id=${project_id}`)
  const kinds = items.map(({ kind }) => kind).sort()
  expect(kinds).toEqual(['change_request', 'manifest_invalid', 'secret_missing', 'trigger_failure'])
  expect(counts['total']).toBe(4)
  expect(items).toContainEqual(
    expect.objectContaining({
      item_id: `change_request:${cr_id}`,
      cr_number: 1,
      version: 'a'.repeat(40),
      verdicts: ['dismiss', 'snooze'],
    }),
  )
  expect(items).toContainEqual(
    expect.objectContaining({ kind: 'manifest_invalid', count: 2, phrase: 'agents: must be a map' }),
  )

  // Pages of one are the same list.
  const seen: string[] = []
  for (let cursor = ''; ;) {
    const page = await inbox(`?project_id=${project_id}&limit=1${cursor}`)
    seen.push(...page.items.map(({ item_id }) => item_id))
    if (page.next_cursor === null) break
    cursor = `&cursor=${page.next_cursor}`
  }
  expect(seen).toEqual(items.map(({ item_id }) => item_id))

  const viewer = await addPerson(db, account_id, 'member')
  expect((await inbox('', viewer.token)).counts['total']).toBe(0)
  await db
    .insertInto('project_members')
    .values({ project_id, user_id: viewer.user_id, role: 'viewer', created_at: now })
    .execute()
  expect((await inbox('', viewer.token)).items).toEqual([])
  const stranger = await platform.stranger()
  expect((await inbox(`?project_id=${project_id}`, stranger.token)).items).toEqual([])
})

test('the count is 304 while it is the same', async () => {
  const count = (etag?: string) =>
    platform.call('/v1/inbox/count', { token, headers: etag === undefined ? {} : { 'if-none-match': etag } })
  const first = await count()
  expect(first.body).toMatchObject({
    total: expect.any(Number),
    by_kind: { permission: expect.any(Number) },
    as_of: expect.any(String),
  })
  const etag = first.headers.get('etag') ?? ''
  expect(await count(etag)).toMatchObject({ status: 304 })
  const session_id = await running(await newProject('Counted'), 'x')
  await tell(session_id, 'permission', permission('per_2'))
  expect(await count(etag)).toMatchObject({ status: 200 })
})

test('changes are told by ids within a second, and only those of what the person reads', async () => {
  const project_id = await newProject('Told')
  const stranger = await platform.stranger()
  const listen = async (who: string) => {
    const end = new AbortController()
    const answer = await fetch(`${api.origin}/v1/changes`, {
      headers: { authorization: `Bearer ${who}` },
      signal: end.signal,
    })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const heard: string[] = []
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const chunk of answer.body ?? []) heard.push(decoder.decode(chunk))
    }
    const done = read().catch(() => {})
    return { heard: () => heard.join(''), stop: async () => (end.abort(), done) }
  }
  const mine = await listen(token)
  const foreign = await listen(stranger.token)
  // The second one says that the platform listens by now.
  await expect.poll(() => mine.heard().match(/event: hello/g)?.length).toBe(2)
  const session_id = await running(project_id, 'x')
  await tell(session_id, 'permission', permission('per_3'))
  const told = (kind: string, id: string) => JSON.stringify({ type: 'changed', kind, project_id, id })
  await expect.poll(mine.heard).toContain(told('permission', session_id))
  await expect.poll(mine.heard).toContain(told('session', session_id))
  expect(foreign.heard()).not.toContain(project_id)
  await Promise.all([mine.stop(), foreign.stop()])
})
