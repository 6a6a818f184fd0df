import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, freeList, FreeObject, json, ProjectParams, refusals, text, Timestamp } from '../kit/common.ts'
import { runtimeMachine } from '@svc/harness'
import { sessionEventTypes } from './events.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'
import { TranscriptMessage } from './session-records.ts'

/** Routes that only a sandbox's own daemon reaches, with the sandbox service key as bearer. */
const common = { tags: ['Sandbox identity'] }

export const CloneCredential = z
  .object({
    repo_url: z.string(),
    auth: z.object({ username: z.string(), token: z.string(), type: z.literal('basic') }).nullable(),
    source: z.enum(['managed', 'connected', 'public']),
    expires_at: Timestamp.nullable(),
  })
  .openapi('CloneCredential')

export const getCloneCredential = createRoute({
  ...common,
  operationId: 'getCloneCredential',
  ...reachedBy({ sandbox_key: true }),
  summary: 'A short-lived credential to clone and push with',
  description: 'Basic credentials for git over HTTP; `auth` is null for a public repository.',
  method: 'get',
  path: '/v1/projects/{project_id}/git/clone-credential',
  request: { params: ProjectParams },
  responses: { 200: json(CloneCredential, 'The credential'), ...refusals(400, 403, 404) },
})

export const getSessionHistory = createRoute({
  ...common,
  operationId: 'getSessionHistory',
  ...reachedBy({ sandbox_key: true }),
  summary: 'What was said so far, for a sandbox that continues the session',
  description: 'So that the conversation goes on where it was.',
  method: 'get',
  path: '/v1/projects/{project_id}/session-history',
  request: { params: ProjectParams },
  responses: {
    200: json(
      z.object({ session_id: z.uuid(), messages: z.array(TranscriptMessage) }),
      'The most recent messages; prompts without a turn are not among them',
    ),
    ...refusals(400, 403, 404),
  },
})

const session = { session_id: z.uuid() }

/** `event_id` makes a repeated report count once. */
export const ReportedEvent = z
  .object({
    event_id: text(limits.eventIdChars).min(1),
    type: z.enum(sessionEventTypes),
    at: Timestamp,
    payload: FreeObject,
  })
  .openapi('ReportedEvent')

/** An agent’s own words on itself, kept as it gave them. */
const RuntimeFacts = FreeObject.nullable()

export const TurnStreamBody = z
  .discriminatedUnion('kind', [
    z.object({ ...session, kind: z.literal('runtime_session'), runtime_session_id: text(255) }),
    z.object({
      ...session,
      kind: z.literal('execution_heartbeat'),
      lease_ttl_seconds: z.int().min(1).max(600),
    }),
    z.object({ ...session, kind: z.literal('execution_lease_release') }),
    z.object({ ...session, kind: z.literal('execution_lease_discover') }),
    z.object({ ...session, kind: z.literal('turn_begin'), prompt_id: z.uuid().optional() }),
    z.object({
      ...session,
      kind: z.literal('turn_end'),
      prompt_id: z.uuid().optional(),
      status: z.enum(['completed', 'error', 'aborted', 'interrupted']),
      error: z.string().optional(),
      stop_reason: text(limits.stopReasonChars).optional(),
      first_token_ms: z
        .int()
        .min(0)
        .optional()
        .describe('Time from the prompt to the first word or tool of the agent.'),
    }),
    z.object({
      ...session,
      kind: z.literal('runtime_info'),
      epoch: z.int().min(0),
      state: z.enum(runtimeMachine.states),
      agent_info: RuntimeFacts.optional(),
      protocol_version: z.int().nullable().optional(),
      capabilities: RuntimeFacts.optional(),
      config_options: freeList(limits.runtimeFacts).optional(),
      commands: freeList(limits.runtimeFacts).optional(),
      ready_ms: z
        .int()
        .min(0)
        .optional()
        .describe('Time from the start of the process until its session was open.'),
    }),
    z.object({ ...session, kind: z.literal('events'), events: z.array(ReportedEvent).max(500) }),
  ])
  .openapi('TurnStream', { example: examples.reportTurnStream })

export const reportTurnStream = createRoute({
  ...common,
  operationId: 'reportTurnStream',
  ...reachedBy({ sandbox_key: true }),
  summary: 'What happens in the sandbox: turns, leases, events',
  description:
    '`kind` says what is reported. A heartbeat renews the lease that keeps the sandbox; an event whose `event_id` came before counts once.',
  method: 'post',
  path: '/v1/projects/{project_id}/turn-stream',
  request: { params: ProjectParams, body: body(TurnStreamBody) },
  responses: {
    200: json(
      z.object({
        ok: z.literal(true),
        lease_expires_at: Timestamp.nullable().optional(),
        provider_url: z.string().optional(),
        provider_headers: z.record(z.string(), z.string()).optional(),
      }),
      'Recorded',
    ),
    ...refusals(400, 403, 404, 415),
  },
})

export const reportTurnQuestion = createRoute({
  ...common,
  operationId: 'reportTurnQuestion',
  ...reachedBy({ sandbox_key: true }),
  summary: 'The agent asks its person a question',
  description: 'It appears in the event log of the session, and is answered by `answerAsk`.',
  method: 'post',
  path: '/v1/projects/{project_id}/turn-question',
  request: {
    params: ProjectParams,
    body: body(
      z
        .object({ ...session, request_id: text(255), questions: freeList(50) })
        .openapi('TurnQuestion', { example: examples.reportTurnQuestion }),
    ),
  },
  responses: { 200: json(z.object({ ok: z.literal(true) }), 'Recorded'), ...refusals(400, 403, 404, 415) },
})

export const reportTurnPermission = createRoute({
  ...common,
  operationId: 'reportTurnPermission',
  ...reachedBy({ sandbox_key: true }),
  summary: 'The agent asks its person for a permission',
  description: 'It appears in the event log of the session, and is answered by `answerAsk`.',
  method: 'post',
  path: '/v1/projects/{project_id}/turn-permission',
  request: {
    params: ProjectParams,
    body: body(
      z
        .object({
          ...session,
          request_id: text(255),
          permission: text(255),
          patterns: z.array(text(65_536)).max(200),
        })
        .openapi('TurnPermission', { example: examples.reportTurnPermission }),
    ),
  },
  responses: { 200: json(z.object({ ok: z.literal(true) }), 'Recorded'), ...refusals(400, 403, 404, 415) },
})
