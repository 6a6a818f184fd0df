import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { hasTerminal, onTerminal, withoutEscapes } from './support/on-terminal.ts'
import { openWorld } from './support/open-world.ts'
import { projectId } from './support/records.ts'
import { ok, refusal } from './support/stub-api.ts'

const call_id = '77777777-7777-4777-8777-777777777777'
const connection_id = '88888888-8888-4888-8888-888888888888'
const digest = 'd'.repeat(64)
const base = `/v1/projects/${projectId}`
const calls = `${base}/connector-calls`
const tracker = `${base}/connectors/tracker`
const approval = `${base}/approvals/${call_id}`
const { api, cli, env, run, bodyOf } = await openWorld()

const rule = { source: 'policy', index: 1, match: 'create_*' }
const connector = {
  ...{
    slug: 'tracker',
    name: 'Tracker',
    provider: 'http',
    status: 'ready',
    error: null,
    auth_type: 'bearer',
  },
  ...{ authorization_strategy: 'project', address: 'https://tracker.example', default_action: 'risk' },
  policies: [
    { match: 'create_*', action: 'require_approval', when: [], second_person: false, expires: '24h' },
  ],
  ...{ actions: 2, catalogue_digest: 'c'.repeat(64), synced_at: null, connect_url: 'https://svc.test/c' },
  connection: { connection_id, label: 'Bot', scope: 'project' },
}
const action = {
  ...{ tool: 'create_issue', action: 'create_issue', title: null, description: 'Opens an issue' },
  ...{ risk: 'write', state: 'active', decision: 'require_approval', rule, hidden: false, input_schema: {} },
}
const done = { ok: true, status: 'done', call_id, risk: 'write', data: { number: 7 } }
const pending = {
  ...{ ok: false, status: 'pending', reason: 'approval_required', message: 'A person has to approve' },
  ...{ call_id, approval_url: 'https://svc.test/a', digest, expires_at: '2026-01-02T00:00:00Z' },
}
const frozen = {
  ...{
    call_id,
    status: 'pending',
    connector: 'tracker',
    action: 'create_issue',
    risk: 'write',
    rule,
    digest,
  },
  args: { title: 'Broken\u202e build' },
  args_text: '{\n  "title": "Broken\u202e build"\n}',
  connection: { connection_id, label: 'Bot', scope: 'project' },
  ...{ address: 'https://tracker.example', session_id: null, second_person: false, message: null },
  requested_by: { type: 'user', user_id: connection_id },
  ...{ created_at: '2026-01-01T00:00:00Z', expires_at: '2026-01-02T00:00:00Z', decided_by: null },
  ...{ decision: null, decided_at: null, outcome: { status: 'awaiting_approval', reason: null } },
}

describe('svc connectors', () => {
  it('lists, shows and finds', async () => {
    api.routes[`GET ${base}/connectors`] = () =>
      ok({ connectors: [connector], errors: [{ slug: 'broken', path: 'x', error: 'No' }], next_cursor: null })
    api.routes[`GET ${tracker}`] = () => ok(connector)
    api.routes[`GET ${tracker}/actions`] = () => ok({ actions: [action], next_cursor: null })
    api.routes[`GET ${base}/connector-catalog`] = () =>
      ok({
        tools: [{ ...action, connector: 'tracker', needs_approval: true }],
        connectors: [{ slug: 'mail', name: 'Mail', status: 'needs_connection', connected: false }],
      })
    const listed = await run(['connectors', 'ls'])
    expect(listed.stdout).toMatch(/tracker\s+http\s+ready\s+Bot \(project\)\s+2/)
    expect(listed.stderr).toBe('broken: No\n')
    const shown = (await run(['connectors', 'show', 'tracker'])).stdout
    expect(shown).toMatch(/create_\*\s+require_approval/)
    expect(shown).toMatch(/create_issue\s+write\s+require approval\s+active\s+Opens an issue/)
    const found = await run(['connectors', 'tools', 'open', 'issue'])
    expect(found.stdout).toMatch(/tracker\.create_issue\s+write\s+a person\s+Opens an issue/)
    expect(found.stderr).toContain('svc connectors connect mail')
    expect(api.calls.at(-1)?.query.get('query')).toBe('open issue')
  })

  it('calls with arguments from the line, from stdin and from a file', async () => {
    api.routes[`POST ${calls}`] = () => ok(done)
    const args = { title: 'x' }
    const file = join(cli.work, 'args.json')
    await writeFile(file, JSON.stringify(args))
    for (const [flags, input] of [
      [['--args', JSON.stringify(args)], ''],
      [['--args', '-'], JSON.stringify(args)],
      [['-f', file], ''],
    ] as const) {
      const { code, stdout } = await run(['connectors', 'call', 'tracker.create_issue', ...flags], { input })
      expect([code, JSON.parse(stdout)]).toEqual([0, { number: 7 }])
      expect(api.calls.at(-1)?.body).toEqual({ connector: 'tracker', action: 'create_issue', args })
    }
  })

  it('prints the id of a call that is pending, and exits 0', async () => {
    api.routes[`POST ${calls}`] = () => ({ status: 202, body: pending })
    const { code, stdout, stderr } = await run(['connectors', 'call', 'tracker.files.list', '--no-wait'])
    expect([code, stdout]).toEqual([0, `${call_id}\n`])
    expect(stderr).toContain('https://svc.test/a')
    expect(bodyOf('POST')).toEqual({ connector: 'tracker', action: 'files.list', args: {}, wait_seconds: 0 })
  })

  it.each([
    [403, 'policy_block', 'denied', 'svc connectors policies test tracker.create_issue'],
    [403, 'connector_not_connected', 'denied', 'svc connectors connect tracker'],
    [502, 'upstream_error', 'error', 'the service said: "No"'],
    [504, 'outcome_unknown', 'error', 'svc connectors log'],
  ])('exits 1 on %i %s, with the reason and what to do', async (status, reason, kind, remedy) => {
    const body = { ok: false, status: kind, reason, message: 'It was not done', ...{ data: 'No' } }
    api.routes[`POST ${calls}`] = () => ({ status, body })
    const { code, stdout, stderr } = await run(['connectors', 'call', 'tracker.create_issue'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`It was not done (${reason})`)
    expect(stderr).toContain(remedy)
    const asJson = await run(['connectors', 'call', 'tracker.create_issue', '--json'])
    expect([asJson.code, JSON.parse(asJson.stdout), asJson.stderr]).toEqual([1, body, ''])
    expect(api.calls).toHaveLength(2)
  })

  it('waits for the end of a call', async () => {
    let looks = 0
    api.routes[`GET ${calls}/${call_id}`] = () =>
      ok({
        ...(looks++ === 0 ? pending : done),
        call: { call_id, connector: 'tracker', action: 'create_issue' },
      })
    const { stdout } = await run(['connectors', 'result', call_id, '--wait'])
    expect(JSON.parse(stdout)).toEqual({ number: 7 })
    expect(looks).toBe(2)
  })

  it('takes a credential from stdin or a file, and none from an argument', async () => {
    api.routes[`GET ${tracker}`] = () => ok(connector)
    api.routes[`POST ${tracker}/connections`] = () => ({
      status: 201,
      body: { connection_id, label: 'Bot', scope: 'project', origin: 'https://tracker.example' },
    })
    const connect = (...words: string[]) => ['connectors', 'connect', 'tracker', ...words]
    const made = await run(connect('--field', 'token=-', '--personal'), { input: 'hunter2\n' })
    expect(made).toMatchObject({ code: 0, stdout: `Connected tracker as Bot (project)  ${connection_id}\n` })
    expect(bodyOf('POST')).toEqual({ credential: { token: 'hunter2' }, default: true, scope: 'personal' })
    await writeFile(join(cli.work, 'key.pem'), 'a\nb\n')
    await run(connect('--field', 'a=-', '--field', 'b=-', '--field', 'c=@key.pem'), { input: '1\n2\n' })
    expect(api.calls.at(-1)?.body).toMatchObject({ credential: { a: '1', b: '2', c: 'a\nb\n' } })
    const before = api.calls.length
    for (const words of [['--field', 'token=hunter2'], [], ['--field', 'a=-', '--field', 'b=-']]) {
      const { code, stdout, stderr } = await run(connect(...words), { input: 'one line' })
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).not.toContain('hunter2')
    }
    expect(api.calls.slice(before).filter(({ method }) => method === 'POST')).toEqual([])
  })

  it.runIf(hasTerminal)('asks for a credential without showing it', async () => {
    api.routes[`GET ${tracker}`] = () => ok(connector)
    api.routes[`POST ${tracker}/connections`] = () => ({
      status: 201,
      body: { connection_id, label: 'Bot', scope: 'project', origin: null },
    })
    const command = `${process.execPath} ${cli.launcher} connectors connect tracker`
    const output = await onTerminal(command, {
      ...{ cwd: cli.work, env, columns: 80 },
      typed: [[/token: $/, 'hunter2\r']],
    })
    expect(bodyOf('POST')).toEqual({ credential: { token: 'hunter2' }, default: true })
    expect(output).not.toContain('hunter2')
  })

  it('forgets the only connection, and asks which of several', async () => {
    const list = [{ connection_id }]
    api.routes[`GET ${tracker}/connections`] = () => ok({ connections: list })
    api.routes[`DELETE ${tracker}/connections/${connection_id}`] = () => ({ status: 204 })
    expect((await run(['connectors', 'disconnect', 'tracker'])).code).toBe(0)
    list.push({ connection_id: call_id })
    const { code, stderr } = await run(['connectors', 'disconnect', 'tracker'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('has 2 connections')])
  })

  it('accepts what changed, by the digest that was there before it looked', async () => {
    api.routes[`GET ${tracker}`] = () => ok(connector)
    api.routes[`GET ${tracker}/actions`] = () =>
      ok({ actions: [action, { ...action, action: 'close', state: 'changed' }], next_cursor: null })
    api.routes[`POST ${tracker}/actions/accept`] = () => ok(connector)
    expect((await run(['connectors', 'accept', 'tracker'])).code).toBe(2)
    expect((await run(['connectors', 'accept', 'tracker', '--yes'])).stdout).toBe('Accepted close\n')
    expect(bodyOf('POST')).toEqual({ catalogue_digest: 'c'.repeat(64), actions: ['close'] })
  })

  it('says which rule decides, and fails with a sync that failed', async () => {
    api.routes[`POST ${tracker}/policies/test`] = () =>
      ok({
        ...{ decision: 'require_approval', risk: 'write', rule, hidden: false },
        steps: [
          { index: 0, match: 'get_*', matched: false, why: 'the name is another' },
          { index: 1, match: 'create_*', matched: true, why: '' },
        ],
      })
    const tested = await run(['connectors', 'policies', 'test', 'tracker.create_issue'])
    expect(tested.stdout).toContain('require approval  (write)\nby rule 1, create_*\n  0  get_*  the name is')
    api.routes[`POST ${tracker}/sync`] = () => ok({ ...connector, status: 'error', error: 'No answer' })
    expect(await run(['connectors', 'sync', 'tracker'])).toMatchObject({ code: 1, stderr: 'No answer\n' })
  })

  it('shows the ledger', async () => {
    const row = { call_id, connector: 'tracker', action: 'create_issue', risk: 'write', status: 'unknown' }
    const more = { reason: 'outcome_unknown', session_id: null, actor: { type: 'user' }, ms: 12 }
    api.routes[`GET ${calls}`] = () =>
      ok({ calls: [{ ...row, ...more, created_at: '2026-01-01T00:00:00Z' }], next_cursor: null })
    const { stdout } = await run(['connectors', 'log', '--status', 'unknown', '--limit', '5'])
    expect(stdout).toMatch(/tracker\.create_issue\s+write\s+unknown\s+outcome_unknown\s+user\s+12/)
    expect(api.calls.at(-1)?.query.toString()).toBe('limit=5&status=unknown')
  })
})

describe('svc approvals', () => {
  it('shows everything that is decided on, and nothing hides in it', async () => {
    api.routes[`GET ${base}/approvals`] = () => ok({ approvals: [frozen] })
    api.routes[`GET ${approval}`] = () => ok(frozen)
    expect((await run(['approvals', 'ls'])).stdout).toMatch(/tracker\.create_issue\s+write\s+pending/)
    expect(api.calls.at(-1)?.query.get('status')).toBe('pending')
    const { stdout } = await run(['approvals', 'show', call_id])
    for (const part of [
      'tracker.create_issue',
      'https://tracker.example',
      'Bot (project)',
      '1 create_*',
      digest,
    ])
      expect(stdout).toContain(part)
    expect(stdout).toContain('"title": "Broken\\u202e build"')
  })

  it('approves without a question only what a digest names', async () => {
    api.routes[`GET ${approval}`] = () => ok(frozen)
    api.routes[`POST ${approval}/decide`] = () => ok({ ...frozen, status: 'approved', decision: 'approve' })
    for (const words of [[], ['--yes']])
      expect((await run(['approvals', 'approve', call_id, ...words])).code).toBe(2)
    expect(bodyOf('POST')).toBeUndefined()
    const approved = await run(['approvals', 'approve', call_id, '--yes', '--digest', digest])
    expect(approved).toMatchObject({ code: 0, stdout: 'Approved tracker.create_issue\n' })
    expect(bodyOf('POST')).toEqual({ decision: 'approve', digest })
  })

  it('denies with words for the agent', async () => {
    api.routes[`GET ${approval}`] = () => ok(frozen)
    api.routes[`POST ${approval}/decide`] = () => ok({ ...frozen, status: 'denied', decision: 'deny' })
    expect((await run(['approvals', 'deny', call_id, '--message', 'Not today'])).code).toBe(0)
    expect(bodyOf('POST')).toEqual({ decision: 'deny', digest, message: 'Not today' })
  })

  it('says how to sign in again', async () => {
    api.routes[`GET ${approval}`] = () => ok(frozen)
    for (const code of ['fresh_sign_in_required', 'person_required']) {
      api.routes[`POST ${approval}/decide`] = () => refusal(403, code, 'Sign in', { max_age_seconds: 3600 })
      const { stderr } = await run(['approvals', 'deny', call_id])
      expect(stderr).toMatch(/next: .*svc login --host/)
    }
  })

  test.runIf(hasTerminal)('shows it and asks before it approves', async () => {
    api.routes[`GET ${approval}`] = () => ok(frozen)
    api.routes[`POST ${approval}/decide`] = () => ok({ ...frozen, status: 'approved', decision: 'approve' })
    const command = `${process.execPath} ${cli.launcher} approvals approve ${call_id}`
    const answered = (answer: string) =>
      onTerminal(command, { cwd: cli.work, env, columns: 80, typed: [[/\[y\/N\] $/, answer]] })
    const refused = withoutEscapes(await answered('\r'))
    expect(refused).toContain('nothing was decided')
    expect(refused).toContain(digest)
    expect(bodyOf('POST')).toBeUndefined()
    await answered('y\r')
    expect(bodyOf('POST')).toEqual({ decision: 'approve', digest })
  })
})
