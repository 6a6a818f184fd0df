import { describe, expect, it } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { me, projectId, sessionId } from './support/records.ts'
import { ok } from './support/stub-api.ts'

const { api, run } = await openWorld()
const { account_id, user_id } = me
const at = '2026-01-31T12:00:00.000Z'
const base = '/v1/admin'

const lists: readonly (readonly [string[], string, object, string, RegExp])[] = [
  [
    ['work', 'ls', '--stuck', '--kind', 'provision'],
    '/work?limit=50&kind=provision&stuck=true',
    {
      work: [
        {
          ...{ work_id: `provision:${sessionId}`, kind: 'provision', session_id: sessionId, since: at },
          ...{ account_id, project_id: projectId, attempts: 2, last_error: null, claimed_by: 'backend 7' },
        },
      ],
    },
    'work',
    /^provision:\S+\s+\S+ \w+ ago\s+2\s+backend 7/m,
  ],
  [
    ['failures', 'ls', '--job', 'sandbox.stop'],
    '/failures?job=sandbox.stop',
    {
      failures: [
        {
          ...{ failure_id: user_id, queue: 'session', job: 'sandbox.stop', ids: { session_id: sessionId } },
          ...{ error: 'No engine', attempts: 3, request_id: null, failed_at: at, resolved_at: null },
        },
      ],
    },
    'failures',
    /ago\s+sandbox\.stop\s+3\s+-\s+\S+\s+No engine/,
  ],
  [
    ['processes', 'ls'],
    '/processes',
    {
      processes: [
        {
          ...{
            process_id: user_id,
            service: 'api',
            version: '1',
            commit: 'c',
            schema_level: 1,
            machine: 'm1',
          },
          ...{ pid: 7, state: 'running', drain_reason: null, started_at: at, beat_at: at },
        },
      ],
    },
    'processes',
    /^api\s+running\s+1\s+m1\s+7/m,
  ],
  [
    ['machines', 'ls'],
    '/machines',
    {
      machines: [
        {
          machine: 'm1',
          provider: 'docker',
          state: 'open',
          sandboxes: { active: 3, stopped: 4 },
          seen_at: at,
        },
      ],
    },
    'machines',
    /^m1\s+docker\s+open\s+3\s+4/m,
  ],
  [
    ['sandboxes', 'ls', '--machine', 'm1'],
    '/sandboxes?machine=m1',
    {
      sandboxes: [
        {
          ...{ session_id: sessionId, account_id, project_id: projectId, machine: 'm1', provider: 'docker' },
          ...{ external_id: null, status: 'active', last_active_at: at, lease_expires_at: null },
        },
      ],
    },
    'sandboxes',
    /active\s+m1\s+docker\s+.* ago\s+-/,
  ],
  [
    ['sessions', 'ls', 'shop', '--status', 'failed', '--account', account_id],
    `/sessions?status=failed&q=shop&account_id=${account_id}`,
    {
      sessions: [
        {
          ...{ session_id: sessionId, account_id, account_name: 'Acme', project_id: projectId },
          ...{ project_slug: 'shop', status: 'failed', name: 'a\nb', agent_name: 'default', origin: 'user' },
          ...{ machine: null, failure: null, created_by: user_id, created_at: at, updated_at: at },
        },
      ],
    },
    'sessions',
    /failed\s+Acme\s+shop\s+-\s/,
  ],
  [
    ['accounts', 'ls', '--q', 'acme', '--tier', 'team'],
    '/accounts?q=acme&tier=team',
    {
      accounts: [
        {
          ...{ account_id, name: 'Acme', tier: 'team', members: 3, projects: 2, live_sessions: 1 },
          ...{ limits: { live_sessions: 5, projects: null, storage_mb: null }, features: {} },
          ...{ suspended_at: null, suspended_reason: null, created_at: at },
        },
      ],
    },
    'accounts',
    /^Acme\s+team\s+3\s+2\s+1\/5\s+-\s/m,
  ],
  [
    ['backups', 'ls', '--limit', '2'],
    '/backups?limit=2',
    {
      backups: [
        {
          ...{ backup_id: user_id, name: 'svc-backup-20260131T120000Z-0a1b2c3d', state: 'failed' },
          ...{ target: 'file:///copies', started_at: at, finished_at: at, bytes: null, error: 'no room' },
        },
      ],
    },
    'backups',
    /ago\s+failed\s+-\s+svc-backup-20260131T120000Z-0a1b2c3d\s+file:\/\/\/copies\s+no room/,
  ],
  [
    ['features', 'ls'],
    '/features',
    {
      features: [
        { feature: 'apps', summary: 'may deploy', available: true, default: false, operator_only: true },
      ],
    },
    'features',
    /^apps\s+yes\s+off\s+may deploy/m,
  ],
  [
    ['admins', 'ls'],
    '/admins',
    { admins: [{ user_id, email: 'a@b.c', name: 'Ada', since: at }] },
    'admins',
    /^a@b\.c\s+Ada\s+2026/m,
  ],
  [
    ['audit', 'ls', '--limit', '3'],
    '/audit?limit=3',
    {
      events: [
        {
          ...{ at, action: 'runWork', account_id: null, target: 'admin/work/x' },
          actor: { type: 'user', id: user_id, on_behalf_of: null },
        },
      ],
    },
    'events',
    /runWork\s+-\s+admin\/work\/x/,
  ],
]

describe('admin', () => {
  it.each(lists)('%j prints a table, or JSON', async (words, path, answer, key, row) => {
    const [pathname = '', wanted = ''] = path.split('?')
    api.routes[`GET ${base}${pathname}`] = () => ok({ ...answer, next_cursor: null })
    const { code, stdout, stderr } = await run(['admin', ...words])
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(row)
    expect(Object.fromEntries(api.calls.at(-1)?.query ?? [])).toMatchObject(
      Object.fromEntries(new URLSearchParams(wanted)),
    )
    const json = await run(['admin', ...words, '--json'])
    expect(JSON.parse(json.stdout)).toEqual(Object(answer)[key])
    api.routes[`GET ${base}${pathname}`] = () => ok({ [key]: [], next_cursor: null })
    expect(await run(['admin', ...words])).toMatchObject({ code: 0, stdout: '' })
  })

  it('overview prints what there is, and leaves out what nothing is owed of', async () => {
    const overview = {
      ...{ version: '1.2.3', commit: 'abc', maintenance: { mode: 'off' }, last_backup_at: null },
      schema: { level: 3, newest: 4, min_reader: 0, pending: [{ name: 'x', phase: 'expand' }] },
      sessions: { running: 2, stopped: 0 },
      owed: [
        { work: 'provision', rows: 5, oldest_seconds: 61 },
        { work: 'merge', rows: 0, oldest_seconds: 0 },
      ],
      queues: [{ queue: 'session', waiting: 1, active: 2, delayed: 0, failed: 3, oldest_seconds: 9 }],
      ...{ processes: [], machines: [] },
    }
    api.routes[`GET ${base}/overview`] = () => ok(overview)
    const { stdout } = await run(['admin', 'overview'])
    expect(stdout).toMatch(/^schema\s+level 3 of 4, 1 pending$/m)
    expect(stdout).toMatch(/^sessions\s+2 running$/m)
    expect(stdout).toMatch(/^owed: provision\s+5, the oldest for 61 s$/m)
    expect(stdout).toMatch(/^queue: session\s+1 waiting, 2 active, 0 delayed, 3 failed$/m)
    expect(stdout).not.toContain('merge')
    expect(JSON.parse((await run(['admin', 'overview', '--json'])).stdout)).toEqual(overview)
  })

  it('asks for what it is told, and says so', async () => {
    const bodies: unknown[] = []
    const answer = (body: object) => (request: { body: unknown }) => {
      bodies.push(request.body)
      return ok(body)
    }
    const work_id = `stop:${sessionId}`
    api.routes[`POST ${base}/work/${encodeURIComponent(work_id)}/run`] = answer({ work_id })
    api.routes[`POST ${base}/sandboxes/${sessionId}/stop`] = answer({ session_id: sessionId })
    api.routes[`POST ${base}/sessions/${sessionId}/rerun`] = answer({ session_id: sessionId, work: 'check' })
    api.routes[`POST ${base}/admins`] = answer({ user_id, email: 'a@b.c', name: 'Ada', since: at })
    api.routes[`DELETE ${base}/admins/${user_id}`] = () => ({ status: 204 })
    const said = async (...words: string[]) => {
      const { code, stdout, stderr } = await run(['admin', ...words])
      expect(code, stderr).toBe(0)
      return stdout
    }
    expect(await said('work', 'run', work_id)).toBe(`Asked for ${work_id}\n`)
    expect(await said('sandboxes', 'stop', sessionId)).toBe(`Stopping ${sessionId}\n`)
    expect(await said('sessions', 'rerun', sessionId, 'check')).toBe(`Asked for check of ${sessionId}\n`)
    api.routes[`POST ${base}/failures/${user_id}/retry`] = answer({ failure_id: user_id })
    expect(await said('failures', 'retry', user_id)).toBe(`Asked for ${user_id}\n`)
    api.routes[`POST ${base}/backups`] = answer({ backup_id: user_id })
    expect(await said('backups', 'run')).toBe(`Asked for ${user_id}\n`)
    api.routes[`POST ${base}/processes/${user_id}/drain`] = answer({})
    api.routes[`DELETE ${base}/processes/${user_id}/drain`] = answer({})
    expect(await said('processes', 'drain', user_id)).toBe(`Draining ${user_id}\n`)
    expect(await said('processes', 'resume', user_id)).toBe(`Resumed ${user_id}\n`)
    const closed = {
      mode: 'drain',
      message: 'Back soon',
      retry_after_seconds: 60,
      until: null,
      by: user_id,
      at,
    }
    api.routes[`GET ${base}/maintenance`] = answer(closed)
    api.routes[`PUT ${base}/maintenance`] = answer(closed)
    expect(await said('maintenance')).toBe('Maintenance is drain: Back soon\n')
    expect(await said('maintenance', 'drain', '--message', 'Back soon')).toBe(
      'Maintenance is drain: Back soon\n',
    )
    expect((await run(['admin', 'maintenance', 'closed'])).code).toBe(2)
    expect(await said('admins', 'add', 'a@b.c')).toBe(`a@b.c is a platform admin (${user_id})\n`)
    expect(await said('admins', 'rm', user_id)).toBe(`Removed ${user_id}\n`)
    expect(bodies.filter((body) => body !== null && body !== undefined)).toEqual([
      { work: 'check' },
      { mode: 'drain', message: 'Back soon' },
      { email: 'a@b.c' },
    ])
    expect((await run(['admin', 'sessions', 'rerun', sessionId, 'nothing'])).code).toBe(2)
    expect((await run(['admin', 'work', 'ls', '--limit', '0'])).code).toBe(2)
  })
})
