import { createRoute, z } from '@hono/zod-openapi'
import { promptMachine, promptSources } from '@svc/session'
import { reachedBy } from '../kit/access.ts'
import { body, json, PageQuery, PromptText, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { PromptId, PromptKey, RequestId } from '../kit/parameters.ts'
import { SessionParams } from './sessions.ts'

export const Prompt = z.object({ prompt_id: z.uuid(), state: z.enum(promptMachine.states) }).openapi('Prompt')

export const InboxPrompt = Prompt.extend({
  text: z.string(),
  source: z.enum(promptSources),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  error: z.string().nullable(),
  created_by: z.uuid(),
  created_at: Timestamp,
  updated_at: Timestamp,
}).openapi('InboxPrompt')

const common = { tags: ['Sessions'] }
const base = '/v1/projects/{project_id}/sessions/{session_id}'

export const promptSession = createRoute({
  ...common,
  operationId: 'promptSession',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Send a message to the agent',
  description:
    'Kept durably and delivered in order; a sleeping sandbox is woken. With `Idempotency-Key` a repeat answers with the same prompt, and 409 `IDEMPOTENCY_KEY_CONFLICT` when it says something else.',
  method: 'post',
  path: `${base}/prompts`,
  request: {
    params: SessionParams,
    headers: z.object({ 'idempotency-key': PromptKey }),
    body: body(
      z
        .strictObject({
          text: PromptText,
          agent: z.string().min(1).max(128).optional(),
          model: z.string().min(1).max(255).optional(),
        })
        .openapi('PromptSession', { example: examples.promptSession }),
    ),
  },
  responses: { 202: json(Prompt, 'Accepted'), ...refusals(400, 403, 404, 409, 415, 422, 429) },
})

export const listPrompts = createRoute({
  ...common,
  operationId: 'listPrompts',
  ...reachedBy({ capability: 'project.session.read' }),
  summary: 'The prompt queue of a session, oldest first',
  description: 'What was sent to the agent, and how far each of it came.',
  method: 'get',
  path: `${base}/prompts`,
  request: {
    params: SessionParams,
    query: PageQuery.extend({
      state: z.enum(promptMachine.states).optional().openapi({ description: 'Only those of this state' }),
    }),
  },
  responses: {
    200: json(z.object({ prompts: z.array(InboxPrompt), next_cursor: z.string().nullable() }), 'One page'),
    ...refusals(400, 403, 404),
  },
})

export const cancelPrompt = createRoute({
  ...common,
  operationId: 'cancelPrompt',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Withdraw a prompt whose turn has not begun',
  description: '409 `PROMPT_NOT_CANCELLABLE` with its `state` once the turn has begun.',
  method: 'delete',
  path: `${base}/prompts/{prompt_id}`,
  request: { params: SessionParams.extend({ prompt_id: PromptId }) },
  responses: { 200: json(InboxPrompt, 'The prompt, cancelled'), ...refusals(400, 403, 404, 409, 502) },
})

export const answerAsk = createRoute({
  ...common,
  operationId: 'answerAsk',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Answer a question or a permission ask of the agent',
  description:
    'A permission takes `reply`, or the `option_id` of one of the `options` that its event lists; a question `answers` (one list of labels for each of its questions) or `reject`. What is not answered in time is rejected, and an event says so.',
  method: 'post',
  path: `${base}/asks/{request_id}`,
  request: {
    params: SessionParams.extend({ request_id: RequestId }),
    body: body(
      z
        .union(
          [
            z.strictObject({
              reply: z.enum(['once', 'always', 'reject']),
              message: text(10_000).optional(),
            }),
            z.strictObject({ option_id: text(255).min(1) }),
            z.strictObject({ answers: z.array(z.array(text(10_000)).max(50)).max(50) }),
            z.strictObject({ reject: z.literal(true) }),
          ],
          'must be { reply, message? } or { option_id } for a permission, { answers } or { reject: true } for a question',
        )
        .openapi('AnswerAsk', { example: examples.answerAsk }),
    ),
  },
  responses: {
    200: json(z.object({ ok: z.literal(true) }), 'The agent goes on'),
    ...refusals(400, 403, 404, 409, 415, 502),
  },
})
