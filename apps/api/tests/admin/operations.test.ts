import { randomUUID } from 'node:crypto'
import { createDatabase, machines, owedWork, processes, sessionWork, withClaim } from '@svc/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { platform, ask, account_id, newProject } = await openWorld()
const { db } = platform.parts
const admin = (method: string, path: string, json?: unknown) => ask(method, `/v1/admin${path}`, json)

let project_id: string
let other: string

beforeAll(async () => {
  project_id = await newProject('Shop')
  other = await newProject('Other')
})

type Columns = Readonly<Record<string, unknown>>

interface Wanted {
  readonly of?: string
  readonly session?: Columns
  readonly sandbox?: Columns
}

/** A session of the API, put into a state that a worker would have left. */
async function session({ of = project_id, session: columns, sandbox }: Wanted = {}): Promise<string> {
  const made = await ask('POST', `/v1/projects/${of}/sessions`, { initial_prompt: 'do not show this' })
  const session_id = made.pick('session_id')
  if (columns)
    await db.updateTable('project_sessions').set(columns).where('session_id', '=', session_id).execute()
  if (sandbox)
    await db.updateTable('session_sandboxes').set(sandbox).where('session_id', '=', session_id).execute()
  return session_id
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
const running = { status: 'running', started_at: new Date() } as const
/** Columns that the row of an active sandbox cannot be without. */
const active = { status: 'active', external_id: 'box', endpoint: 'http://127.0.0.1:1' }

interface Work {
  readonly work_id: string
  readonly kind: string
  readonly session_id: string
}

const work = async (query = ''): Promise<Work[]> => Object(await admin('GET', `/work${query}`)).body.work

test('owed rows are listed as the sweeps find them, and a page follows the one before', async () => {
  const since = { updated_at: ago(60) }
  const waiting = await session({ session: { ...since, provisioning_at: ago(3000) } })
  const stopping = await session({
    session: { ...since, status: 'stopped', stopped_at: ago(2000), stop_reason: 'user' },
    sandbox: { ...active, external_id: randomUUID(), owed: 'stop', ...since },
  })
  const going = await session({
    session: { ...since, status: 'stopped', stopped_at: ago(1000), deleted_at: ago(1000) },
    sandbox: { status: 'stopped', owed: 'destroy', ...since },
  })
  const asked = await session({
    session: { ...running, ...since },
    sandbox: { ...active, external_id: randomUUID() },
  })
  await db
    .updateTable('session_prompts')
    .set({ created_at: ago(900), ...since })
    .execute()
  const asleep = await session({
    session: { ...since, status: 'stopped', stopped_at: new Date() },
    sandbox: { status: 'stopped', owed: null },
  })
  await db
    .updateTable('session_prompts')
    .set({ created_at: ago(90), ...since })
    .where('session_id', '=', asleep)
    .execute()
  const owed = await work()
  const bySweep = [
    ...(await sessionWork.listOwed(db, { quiet_since: ago(10), limit: 100 })).map(({ job, session_id }) => ({
      kind: job.replace('sandbox.', ''),
      session_id,
    })),
    ...(await sessionWork.listUndelivered(db, { quiet_since: ago(10), wakes: 3, limit: 100 })).map(
      (session_id) => ({ kind: 'deliver', session_id }),
    ),
  ]
  const plain = (list: readonly { kind: string; session_id: string }[]) =>
    list.map(({ kind, session_id }) => `${kind}:${session_id}`).sort()
  expect(plain(owed)).toEqual(plain(bySweep))
  expect(owed.map(({ work_id }) => work_id)).toEqual([
    ...[`provision:${waiting}`, `stop:${stopping}`, `destroy:${going}`],
    ...[`deliver:${stopping}`, `deliver:${asked}`],
  ])
  expect(owed[0]).toEqual({
    ...{ work_id: `provision:${waiting}`, kind: 'provision', account_id, project_id, session_id: waiting },
    ...{ since: expect.any(String), attempts: 0, last_error: null, claimed_by: null },
  })
  const page = Object(await admin('GET', '/work?limit=3')).body
  const next = Object(await admin('GET', `/work?limit=3&cursor=${page.next_cursor}`)).body
  expect([...page.work, ...next.work]).toEqual(owed)
  expect(next.next_cursor).toBe(null)
  expect(await work('?kind=stop')).toMatchObject([{ session_id: stopping }])
  expect((await admin('GET', '/work?kind=none')).status).toBe(400)
})

test('stuck is what is owed for ten minutes and no worker holds', async () => {
  const [first] = await work('?kind=provision')
  const session_id = first?.session_id ?? ''
  expect(await work('?stuck=true&kind=provision')).toHaveLength(1)
  const locks = createDatabase(platform.database.connection_string, { max: 2 })
  try {
    await withClaim(locks, { session_id, work: 'sandbox' }, async () => {
      expect(await work('?stuck=true&kind=provision')).toEqual([])
      expect(await work('?kind=provision')).toMatchObject([
        { claimed_by: expect.stringMatching(/^backend \d+$/) },
      ])
    })
    expect(await work('?stuck=true&kind=provision')).toHaveLength(1)
  } finally {
    await locks.destroy()
  }
})

test('owed work is run again, with its event in both chains, and what is not owed is refused', async () => {
  const [{ work_id, session_id } = { work_id: '', session_id: '' }] = await work('?kind=provision')
  platform.jobs.length = 0
  expect(await admin('POST', `/work/${work_id}/run`)).toMatchObject({ status: 202, body: { work_id } })
  expect(platform.jobs).toEqual([{ queue: 'session', name: 'sandbox.provision', payload: { session_id } }])
  const [event] = Object(await admin('GET', '/audit?limit=1')).body.events
  expect(event).toMatchObject({ action: 'runWork', account_id, project_id, session_id, details: {} })
  const { body } = await ask('GET', `/v1/accounts/${account_id}/audit?action=runWork`)
  expect(Object(body).events).toMatchObject([{ session_id, details: { by_operator: true } }])
  for (const id of [`stop:${session_id}`, `provision:${randomUUID()}`, 'nonsense', `merge:${session_id}`])
    expect(await admin('POST', `/work/${id}/run`)).toMatchObject({
      status: 409,
      body: { code: 'WORK_NOT_OWED' },
    })
})

test('a session is rerun where its row asks for it', async () => {
  const session_id = await session()
  const rerun = (work: string, id = session_id) => admin('POST', `/sessions/${id}/rerun`, { work })
  platform.jobs.length = 0
  expect(await rerun('provision')).toMatchObject({ status: 202, body: { session_id, work: 'provision' } })
  for (const work of ['deliver', 'stop', 'destroy', 'check'])
    expect(await rerun(work)).toMatchObject({ status: 409, body: { code: 'WORK_NOT_OWED' } })
  await db.updateTable('project_sessions').set(running).where('session_id', '=', session_id).execute()
  expect((await rerun('check')).status).toBe(202)
  expect((await rerun('deliver')).status).toBe(202)
  expect((await rerun('provision')).status).toBe(409)
  expect((await rerun('nothing')).status).toBe(400)
  expect((await rerun('check', randomUUID())).status).toBe(404)
  expect(platform.jobs.map(({ name }) => name)).toEqual([
    'sandbox.provision',
    'sandbox.check',
    'prompts.deliver',
  ])
})

test('sessions of every account are found, and nothing of what was said in them', async () => {
  const name = `100% of ${randomUUID()}`
  const failure = JSON.stringify({
    category: 'exited',
    message: 'The sandbox ended by itself; it last said:\nsecret words',
    retryable: true,
  })
  const found = await session({
    of: other,
    session: {
      name,
      failure,
      status: 'failed',
      stopped_at: ago(10),
      agent_name: 'reviewer',
      created_at: ago(86_400),
    },
    sandbox: { machine: 'm7', external_id: 'box-77', status: 'error' },
  })
  const list = async (query: string) => {
    const answer = await admin('GET', `/sessions?${query}`)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).not.toMatch(/do not show this|secret words/)
    return Object(answer.body).sessions
  }
  const ids = async (query: string) => (await list(query)).map((one: Work) => one.session_id)
  expect(await list(`q=${found}`)).toEqual([
    {
      ...{
        session_id: found,
        account_id,
        account_name: 'My account',
        project_id: other,
        project_slug: 'other',
      },
      ...{ status: 'failed', name, agent_name: 'reviewer', origin: 'user', machine: 'm7' },
      failure: { category: 'exited', message: 'The sandbox ended by itself', retryable: true },
      ...{
        created_by: platform.owner.user_id,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    },
  ])
  for (const query of [
    'q=box-77',
    `q=${encodeURIComponent('100%')}`,
    'status=failed',
    'agent=reviewer',
    'machine=m7',
    `until=${ago(80_000).toISOString()}`,
    'q=other',
  ])
    expect(await ids(query), query).toEqual([found])
  expect(await ids(`q=${encodeURIComponent('100_')}`)).toEqual([])
  const all = await ids('limit=200')
  const page = Object(await admin('GET', '/sessions?limit=2')).body
  const next = Object(await admin('GET', `/sessions?limit=200&cursor=${page.next_cursor}`)).body
  expect([...page.sessions, ...next.sessions].map((one: Work) => one.session_id)).toEqual(all)
  expect((await admin('GET', '/sessions?status=none')).status).toBe(400)
})

test('sandboxes are listed by machine, and stopped in the operator’s name', async () => {
  const session_id = await session({
    session: running,
    sandbox: { ...active, machine: 'm1', provider: 'process', external_id: 'box-1' },
  })
  const { body } = await admin('GET', '/sandboxes?machine=m1')
  expect(Object(body).sandboxes).toEqual([
    {
      ...{ session_id, account_id, project_id, machine: 'm1', provider: 'process', external_id: 'box-1' },
      ...{ status: 'active', last_active_at: expect.any(String), lease_expires_at: null },
    },
  ])
  expect(Object(await admin('GET', '/sandboxes?machine=m1&status=stopped')).body.sandboxes).toEqual([])
  platform.jobs.length = 0
  const stopped = await admin('POST', `/sandboxes/${session_id}/stop`)
  expect(stopped).toMatchObject({ status: 202, body: { session_id } })
  expect(platform.jobs).toEqual([{ queue: 'session', name: 'sandbox.stop', payload: { session_id } }])
  const now = await ask('GET', `/v1/projects/${project_id}/sessions/${session_id}`)
  expect(now.body).toMatchObject({ status: 'stopped', stop_reason: 'operator' })
  const events = await ask('GET', `/v1/accounts/${account_id}/audit?action=stopSandbox`)
  expect(Object(events.body).events).toMatchObject([{ session_id, details: { by_operator: true } }])
  expect((await admin('POST', `/sandboxes/${session_id}/stop`)).status).toBe(202)
  expect((await admin('POST', `/sandboxes/${randomUUID()}/stop`)).status).toBe(404)
})

test('the overview counts what there is, with processes and machines', async () => {
  const process_id = randomUUID()
  const [started_at, beat_at] = [ago(100), new Date()]
  const process = {
    process_id,
    service: 'api',
    version: '1',
    commit: 'c',
    schema_level: 1,
    machine: 'm1',
    pid: 7,
    connections: 20,
  }
  await processes.beat(db, { ...process, started_at, beat_at })
  await machines.see(db, { machine: 'm7', provider: 'docker', seen_at: new Date() })
  const listed = [
    {
      ...process,
      state: 'running',
      drain_reason: null,
      started_at: started_at.toISOString(),
      beat_at: beat_at.toISOString(),
    },
  ]
  expect((await admin('GET', '/processes')).body).toEqual({ processes: listed })
  const shown = [
    {
      machine: 'm7',
      provider: 'docker',
      state: 'open',
      sandboxes: { active: 0, stopped: 1 },
      seen_at: expect.any(String),
    },
  ]
  expect((await admin('GET', '/machines')).body).toEqual({ machines: shown })
  const { body } = await admin('GET', '/overview')
  const owed = await owedWork.count(db, new Date())
  expect(body).toMatchObject({
    ...{ version: '1.2.3', commit: 'abc', maintenance: { mode: 'off' }, last_backup_at: null },
    schema: { level: expect.any(Number), newest: expect.any(Number), min_reader: 0, pending: [] },
    sessions: { failed: 1, running: expect.any(Number), stopped: expect.any(Number), queued: 0 },
    ...{ processes: listed, machines: shown, queues: [] },
  })
  expect(Object(body).owed.map(({ work, rows }: { work: string; rows: number }) => ({ work, rows }))).toEqual(
    owed.map(({ work, rows }) => ({ work, rows })),
  )
  expect(owed.find(({ work }) => work === 'provision')?.oldest_seconds).toBeGreaterThan(2900)
})

afterAll(() => db.deleteFrom('processes').execute())
