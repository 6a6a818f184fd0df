import { expect, it } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { projectId, session, sessionId } from '../support/records.ts'
import { ok } from '../support/stub-api.ts'

const base = `/v1/projects/${projectId}`
const one = `${base}/sessions/${sessionId}`
const tool = { tool: 'bash', status: 'completed', title: 'ls \u001b[2J', input: {}, output: 'x' }
const said = (fields: object) => ({
  message_id: 'm',
  at: '2026-01-01T00:00:00Z',
  text: '',
  tools: [],
  error: null,
  ...fields,
})

const { api, run } = await openWorld({
  [`GET ${one}/transcript`]: () =>
    ok({
      session_id: sessionId,
      messages: [
        said({ role: 'user', text: 'Fix it\n\nnow' }),
        said({
          role: 'assistant',
          text: 'It is\u001b[2J fixed.',
          tools: [tool, { ...tool, status: 'error', title: null }],
        }),
        said({ role: 'assistant', error: 'no credit' }),
      ],
    }),
  [`POST ${one}/stop`]: () => ok(session({ status: 'stopped' })),
  [`POST ${one}/start`]: () => ok(session({ status: 'running' })),
  [`GET ${base}/sessions`]: () => ok([session({ name: null })]),
  [`GET ${base}/session-summaries`]: () =>
    ok({ sessions: [{ session_id: sessionId, title: 'Fix the typo' }], counts: {}, next_cursor: null }),
})

it('transcript is what was said, with the tools and without what commands a terminal', async () => {
  const { code, stdout } = await run(['sessions', 'transcript', sessionId])
  expect(code).toBe(0)
  expect(stdout).toBe(
    '> Fix it\n>\n> now\n* bash: ls \ufffd[2J\n* bash (failed)\nIt is\ufffd[2J fixed.\nerror: no credit\n',
  )
  expect((await run(['sessions', 'log', sessionId])).stdout).toBe(stdout)
  expect(JSON.parse((await run(['sessions', 'log', sessionId, '--json'])).stdout)).toMatchObject({
    session_id: sessionId,
  })
})

it('transcript of a session in which nothing was said says how to begin', async () => {
  api.routes[`GET ${one}/transcript`] = () => ok({ session_id: sessionId, messages: [] })
  expect((await run(['sessions', 'transcript', sessionId])).stderr).toContain('svc sessions chat')
})

it('stop and start', async () => {
  const { stdout, stderr } = await run(['sessions', 'stop', sessionId])
  expect(stdout).toBe(`Stopped ${sessionId}\n`)
  expect(stderr).toContain('svc sessions start')
  expect((await run(['sessions', 'start', sessionId])).stdout).toBe(`Runs ${sessionId}\n`)
})

it('ls calls a session without a name by its first prompt', async () => {
  expect((await run(['sessions', 'ls'])).stdout).toContain('Fix the typo')
})

it('chat without a terminal and a message says how a conversation is read', async () => {
  const { code, stderr } = await run(['sessions', 'chat', sessionId])
  expect(code).toBe(2)
  expect(stderr).toContain('svc sessions transcript')
})
