import type { ServerResponse } from 'node:http'
import { projectId, session, sessionId } from '../support/records.ts'
import type { Answer, Route } from '../support/stub-api.ts'

const one = `/v1/projects/${projectId}/sessions/${sessionId}`
const prompt_id = '77777777-7777-4777-8777-777777777777'
const queued = {
  prompt_id,
  state: 'done',
  text: 'Hello',
  error: null,
  created_at: '2026-01-03T11:00:00Z',
}
const permission = { request_id: 'per_1', kind: 'permission', permission: 'bash', patterns: ['rm old.txt'] }
/** As an agent of the Agent Client Protocol words the answers that it takes. */
const offered = [
  { option_id: 'proceed_once', name: 'Yes', kind: 'allow_once' },
  { option_id: 'proceed_always', name: 'Yes, from now on', kind: 'allow_always' },
  { option_id: 'cancel', name: 'No', kind: 'reject_once' },
]
const colours = [{ label: 'Red' }, { label: 'Blue' }]
const question = {
  request_id: 'que_1',
  kind: 'question',
  questions: [{ question: 'Which colour?', options: colours }],
}
const ok = (body: unknown): Answer => ({ status: 200, body })

/** A session whose agent asks for leave, then for a colour, and then is done; whose second turn never ends by itself. */
export function chatRoutes(): Readonly<Record<string, Route>> {
  let stream: ServerResponse | undefined
  let seq = 0
  let turns = 0
  const emit = (...entries: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[]) => {
    for (const entry of entries) {
      seq += 1
      const data = JSON.stringify({ seq, at: '2026-01-03T12:00:00Z', ...entry })
      stream?.write(`id: ${seq}\nevent: ${entry.type}\ndata: ${data}\n\n`)
    }
  }
  const end = (status: string) => ({ type: 'turn', prompt_id, state: 'end', status })
  const said = (message_id: string, text: string) => ({
    type: 'message',
    message_id,
    role: 'assistant',
    text,
    error: null,
  })
  return {
    [`GET ${one}/events`]: ({ headers }, response) => {
      if (headers.accept !== 'text/event-stream') return ok({ events: [], last_seq: seq })
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      turns += 1
      emit({ type: 'turn', prompt_id, state: 'begin' }, said(`m${turns}`, 'Let me look.'))
      if (turns === 1) emit({ ...permission, options: offered, type: 'permission', state: 'asked' })
      return undefined
    },
    'POST /v1/p/box-1/8000/svc/runtime/act': ({ body }) => {
      const { kind, reply, answers } = Object(body)
      if (kind === 'permission') {
        emit({
          type: 'tool',
          call_id: 'c',
          tool: 'bash',
          status: 'completed',
          title: `rm old.txt (${reply})`,
        })
        emit({ ...question, type: 'question', state: 'asked' })
      }
      if (kind === 'question') emit(said('n', `It is ${answers ?? 'no colour'}.`), end('completed'))
      if (kind === 'stop') emit(end('aborted'))
      return ok({})
    },
    [`POST ${one}/prompts`]: () => ({ status: 202, body: { prompt_id, state: 'queued' } }),
    [`GET ${one}/prompts`]: () =>
      ok({ prompts: [queued, { ...queued, state: 'pending', text: 'More' }], next_cursor: null }),
    [`DELETE ${one}/prompts/${prompt_id}`]: () => ok({ ...queued, state: 'cancelled' }),
    'GET /v1/p/box-1/8000/svc/runtime/state': () => ok({ asks: [permission, question] }),
    [`POST ${one}/asks/per_1`]: () => ok({}),
    [`GET ${one}`]: () => ok(session()),
  }
}

export const chatLines = [
  `sessions chat ${sessionId} --prompt Hello`,
  `sessions prompts ${sessionId}`,
  `sessions cancel-prompt ${sessionId} ${prompt_id}`,
  `sessions asks ${sessionId}`,
  `sessions answer ${sessionId} per_1 once`,
  `sessions answer ${sessionId} que_9 Blue`,
] as const
