import { describe, expect, it } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { crUuid, me, otherProjectId, project, projectId, session, sessionId } from './support/records.ts'
import { ok } from './support/stub-api.ts'

const { cli, api, outside, run, bodyOf } = await openWorld()
const base = `/v1/projects/${projectId}`
const crs = `${base}/change-requests`

describe('projects ls', () => {
  it('prints a table, or the answer as JSON', async () => {
    api.routes['GET /v1/projects'] = () =>
      ok([project(), project({ slug: 'other', project_id: otherProjectId })])
    const { stdout } = await run(['projects', 'ls'])
    expect(stdout.split('\n')[0]).toMatch(/SLUG\s+NAME\s+ROLE\s+UPDATED\s+ID/)
    expect(stdout).toContain(otherProjectId)
    expect(JSON.parse((await run(['projects', 'ls', '--json'])).stdout)).toHaveLength(2)
  })
})

describe('the project of a sandbox', () => {
  it('is the one that its own token reaches', async () => {
    api.routes['GET /v1/projects'] = () => ok([project()])
    api.routes[`GET ${crs}`] = () => ok({ change_requests: [] })
    expect((await cli.run(['cr', 'ls'], { env: outside })).code).toBe(0)
  })
})

describe('secrets', () => {
  const list = {
    items: [{ name: 'A', updated_at: '2026-01-01T00:00:00Z' }],
    required: ['A', 'B'],
    optional: [],
    missing: ['B'],
  }

  it('ls marks the required ones that are missing', async () => {
    api.routes[`GET ${base}/secrets`] = () => ok(list)
    const { code, stdout } = await run(['secrets', 'ls'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^B\s+required\s+MISSING$/m)
    expect(JSON.parse((await run(['secrets', 'ls', '--json'])).stdout)).toMatchObject({ missing: ['B'] })
  })

  it('set takes values from the line and from stdin, and never prints them', async () => {
    const values: unknown[] = []
    for (const name of ['A', 'B']) {
      api.routes[`PUT ${base}/secrets/${name}`] = ({ body }) => {
        values.push(body)
        return ok({ name })
      }
    }
    const { code, stdout, stderr } = await run(['secrets', 'set', 'A=x=y', 'B=-'], {
      input: 'line 1\nline 2\n',
    })
    expect([code, stdout]).toEqual([0, 'Set A\nSet B\n'])
    expect(stderr).toMatch(/^Sessions that run get it within seconds.*next start\.\n$/)
    expect(values).toEqual([{ value: 'x=y' }, { value: 'line 1\nline 2' }])
  })

  it('unset deletes', async () => {
    api.routes[`DELETE ${base}/secrets/A`] = () => ({ status: 204 })
    expect(await run(['secrets', 'unset', 'A'])).toMatchObject({ code: 0, stdout: 'Unset A\n' })
  })

  it('--personal speaks of one’s own', async () => {
    const own = `${base}/personal-secrets`
    const values: unknown[] = []
    api.routes[`PUT ${own}/A`] = ({ body }) => {
      values.push(body)
      return ok({ name: 'A' })
    }
    api.routes[`GET ${own}`] = () => ok({ items: list.items })
    api.routes[`DELETE ${own}/A`] = () => ({ status: 204 })
    expect(await run(['secrets', 'set', '--personal', 'A=x'])).toMatchObject({ code: 0, stdout: 'Set A\n' })
    expect(values).toEqual([{ value: 'x' }])
    expect((await run(['secrets', 'ls', '--personal'])).stdout).toMatch(/^A\s+set /m)
    expect(await run(['secrets', 'unset', 'A', '--personal'])).toMatchObject({ code: 0 })
  })

  it('log tells which session was given which', async () => {
    const queries: string[] = []
    api.routes[`GET ${base}/secret-accesses`] = ({ query }) => {
      queries.push(String(query))
      return ok({
        accesses: [
          {
            access_id: crUuid,
            at: '2026-01-01T00:00:00Z',
            session_id: sessionId,
            agent_name: 'default',
            user_id: me.user_id,
            names: ['A'],
            personal_names: ['B'],
          },
        ],
        next_cursor: null,
      })
    }
    const { code, stdout } = await run(['secrets', 'log', '--name', 'A', '--limit', '5'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/abcd1234\s+default\s+66666666\s+A B \(yours\)/)
    expect(queries).toEqual(['limit=5&name=A'])
  })
})

describe('sessions', () => {
  const sessions = `${base}/sessions`

  it('ls prints whole ids to a pipe', async () => {
    api.routes[`GET ${sessions}`] = () => ok([session()])
    expect((await run(['sessions', 'ls'])).stdout).toContain(sessionId)
    expect(JSON.parse((await run(['sessions', 'ls', '--json'])).stdout)).toHaveLength(1)
  })

  it('ls stops at its limit', async () => {
    api.routes[`GET ${sessions}`] = () => ok([session(), session()], { 'x-next-cursor': 'n' })
    expect(JSON.parse((await run(['sessions', 'ls', '--json', '--limit', '3'])).stdout)).toHaveLength(3)
  })

  it('an id may be abbreviated to a start that is unique', async () => {
    api.routes[`GET ${sessions}`] = () =>
      ok([session(), session({ session_id: `ffff${sessionId.slice(4)}`, name: 'abcd' })])
    api.routes[`GET ${sessions}/${sessionId}`] = () => ok(session())
    const { code, stdout } = await run(['sessions', 'info', 'ABCD', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ session_id: sessionId })
    expect(api.calls[0]?.query.get('q')).toBe('abcd')
  })

  it.each([
    ['abc', 2, 'at least its first 4 characters'],
    ['abcd', 1, '2 sessions start with abcd'],
    ['ffff', 1, 'no session starts with ffff'],
  ])('the id %s is refused with exit code %i', async (given, code, words) => {
    api.routes[`GET ${sessions}`] = () =>
      ok([session(), session({ session_id: `abcd${sessionId.slice(4, -1)}0` })])
    const result = await run(['sessions', 'info', given])
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(words)
  })

  it('new prints the id', async () => {
    api.routes[`POST ${sessions}`] = () => ({ status: 201, body: session({ status: 'provisioning' }) })
    const { code, stdout } = await run(['sessions', 'new', '--prompt', 'hello'])
    expect([code, stdout]).toEqual([0, `${sessionId}\n`])
    expect(bodyOf('POST')).toEqual({ initial_prompt: 'hello' })
    expect(api.calls[0]?.headers['idempotency-key']).toBeTruthy()
  })

  it('restart and rm', async () => {
    api.routes[`POST ${sessions}/${sessionId}/restart`] = () => ok(session())
    api.routes[`DELETE ${sessions}/${sessionId}`] = () => ({ status: 204 })
    expect(await run(['sessions', 'restart', sessionId])).toMatchObject({ code: 0 })
    expect(await run(['sessions', 'rm', sessionId])).toMatchObject({
      code: 0,
      stdout: `Deleted ${sessionId}\n`,
    })
  })
})

describe('triggers add', () => {
  const add = async (...flags: string[]) => {
    api.routes[`POST ${base}/triggers`] = ({ body }) =>
      ok({ slug: 'x', next_fire_at: null, webhook_url: null, asked: body })
    const { code, stdout, stderr } = await run(['triggers', 'add', 'x', '--prompt', 'p', ...flags])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Added x\n', stderr: '' })
    return bodyOf('POST')
  }

  it('sends a monitor that streams, or one that polls when it is told how often', async () => {
    const monitor = { slug: 'x', type: 'monitor', prompt: 'p', run: 'tail -Fn0 app.log' }
    expect(await add('--monitor', monitor.run)).toEqual({ ...monitor, mode: 'stream' })
    api.calls.length = 0
    const polls = ['--interval', '5m', '--expect-event-within', '1d', '--filter', 'line.level=error']
    expect(await add('--monitor', monitor.run, ...polls)).toEqual({
      ...monitor,
      mode: 'poll',
      interval: '5m',
      expect_event_within: '1d',
      filter: { 'line.level': 'error' },
    })
  })

  it('sends what else fires as it is given', async () => {
    const webhook = { slug: 'x', type: 'webhook', prompt: 'p', secret_env: 'HOOK_SECRET' }
    expect(await add('--webhook', 'HOOK_SECRET')).toEqual(webhook)
  })

  it('says where a webhook is sent, and that its secret needs a value', async () => {
    api.routes[`POST ${base}/triggers`] = () =>
      ok({ slug: 'x', next_fire_at: null, webhook_url: 'https://svc.test/hook' })
    const { stderr } = await run(['triggers', 'add', 'x', '--prompt', 'p', '--webhook', 'HOOK_SECRET'])
    expect(stderr).toContain('POST to https://svc.test/hook')
    expect(stderr).toContain('svc secrets set HOOK_SECRET=-')
  })
})
