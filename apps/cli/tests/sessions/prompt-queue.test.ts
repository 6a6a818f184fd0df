import { describe, expect, it } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { projectId, session, sessionId } from '../support/records.ts'
import { ok, refusal } from '../support/stub-api.ts'

const one = `/v1/projects/${projectId}/sessions/${sessionId}`
const prompt = (fields: object = {}) => ({
  prompt_id: 'aaaa7777-7777-4777-8777-777777777777',
  state: 'pending',
  text: 'Fix the\n\u001b[2Jshop',
  source: 'user',
  agent: null,
  model: null,
  error: null,
  created_by: projectId,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  ...fields,
})
const waiting = prompt()
const failed = prompt({
  prompt_id: 'bbbb7777-7777-4777-8777-777777777777',
  state: 'failed',
  error: 'no credit',
})
const permission = { kind: 'permission', request_id: 'per_1', permission: 'bash', patterns: ['rm *'] }
const question = {
  kind: 'question',
  request_id: 'que_1',
  questions: [
    { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] },
    { question: 'How many?', options: [] },
  ],
}

const { api, ...world } = await openWorld({
  [`GET ${one}`]: () => ok(session()),
  [`GET ${one}/prompts`]: ({ query }) =>
    ok({
      prompts: [waiting, failed].filter(({ state }) => (query.get('state') ?? state) === state),
      next_cursor: null,
    }),
  [`DELETE ${one}/prompts/${waiting.prompt_id}`]: () => ok(prompt({ state: 'cancelled' })),
  'GET /v1/p/box-1/8000/svc/runtime/state': () => ok({ asks: [permission, question] }),
  [`POST ${one}/asks/que_1`]: () => ok({ ok: true }),
  [`POST ${one}/refresh`]: () =>
    ok({ updated: true, note: null, restart: 'when_idle', branch: sessionId, commit: 'abcdef0123456789' }),
  [`POST ${one}/abort`]: () => ok({ ok: true }),
})
const run = (command: string, ...args: string[]) => world.run(['sessions', command, sessionId, ...args])
const sent = () => api.calls.find(({ method }) => method === 'POST')?.body

describe('the prompt queue', () => {
  it('is a table with whole ids for a pipe, one line a prompt', async () => {
    const { code, stdout } = await run('prompts')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^${waiting.prompt_id}\\s+pending\\s.*Fix the \ufffd\\[2Jshop$`, 'm'))
    expect(stdout).toMatch(/failed\s.*\(no credit\)$/m)
  })

  it('as JSON, of one state', async () => {
    const { stdout } = await run('prompts', '--json', '--state', 'failed')
    expect(JSON.parse(stdout)).toEqual([failed])
  })

  it('gives a prompt back by the start of its id', async () => {
    expect(await run('cancel-prompt', 'AAAA')).toEqual({
      code: 0,
      stdout: `Withdrew ${waiting.prompt_id}\n`,
      stderr: '',
    })
  })

  it('names what cannot be withdrawn', async () => {
    expect((await run('cancel-prompt', 'cccc')).stderr).toContain(
      'no prompt of this session starts with cccc',
    )
    api.routes[`DELETE ${one}/prompts/${failed.prompt_id}`] = () =>
      refusal(409, 'PROMPT_NOT_CANCELLABLE', 'A failed prompt cannot be withdrawn')
    const { code, stderr } = await run('cancel-prompt', failed.prompt_id)
    expect(code).toBe(1)
    expect(stderr).toContain('A failed prompt cannot be withdrawn')
  })
})

describe('a session that runs', () => {
  it('is refreshed, or says what stands in the way', async () => {
    expect(await run('refresh')).toEqual({
      code: 0,
      stdout: 'The branch is now at abcdef01\n',
      stderr: 'The agent starts anew when its turn has ended.\n',
    })
    expect(JSON.parse((await run('refresh', '--json')).stdout)).toMatchObject({ restart: 'when_idle' })
    api.routes[`POST ${one}/refresh`] = () =>
      refusal(409, 'REFRESH_BLOCKED', 'There is work that is not committed; commit or stash it')
    const { code, stderr } = await run('refresh')
    expect(code).toBe(1)
    expect(stderr).toContain('commit or stash it')
  })

  it('has what its agent works on ended', async () => {
    expect(await run('abort')).toEqual({
      code: 0,
      stdout: `Aborted what ${sessionId} worked on\n`,
      stderr: '',
    })
  })
})

describe('what the agent asks', () => {
  it('is a table with the options of a question', async () => {
    const { code, stdout, stderr } = await run('asks')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^per_1\s+permission\s+bash rm \*$/m)
    expect(stdout).toMatch(/^que_1\s+question\s+Which colour\? \[Red \| Blue\]; How many\?$/m)
    expect(stderr).toContain('svc sessions answer abcd1234')
    expect(JSON.parse((await run('asks', '--json')).stdout)).toEqual([permission, question])
  })

  it('is answered, or found to wait no longer', async () => {
    expect(await run('answer', 'que_1', '2', 'about ten')).toMatchObject({
      code: 0,
      stdout: 'Answered que_1\n',
    })
    expect(sent()).toEqual({ answers: [['Blue'], ['about ten']] })
    const { code, stderr } = await run('answer', 'que_9', 'Blue')
    expect(code).toBe(1)
    expect(stderr).toContain('the agent does not wait for que_9')
  })

  it('is nothing while the session sleeps', async () => {
    api.routes[`GET ${one}`] = () => ok(session({ status: 'stopped' }))
    expect(await run('asks')).toEqual({ code: 0, stdout: '', stderr: 'The agent waits for nothing.\n' })
  })
})
