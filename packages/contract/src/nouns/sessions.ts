import { createRoute, z } from '@hono/zod-openapi'
import { sessionMachine, sessionOrigins } from '@svc/session'
import { reachedBy } from '../kit/access.ts'
import { body, json, Metadata, PageQuery, ProjectParams, refusals, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'
import { IdempotencyKey, Prefer, ProjectId, SessionId } from '../kit/parameters.ts'
import { CreateSession, QueuedSession, RefreshedSession, Session } from './session-records.ts'

export { CreateSession, QueuedSession, RefreshedSession, Session }

const common = { tags: ['Sessions'] }
const base = '/v1/projects/{project_id}/sessions'

export const SessionParams = z.object({ project_id: ProjectId, session_id: SessionId })

export const createSession = createRoute({
  ...common,
  operationId: 'createSession',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Start a session',
  description:
    '`Idempotency-Key` (1 to 255 of `A-Z a-z 0-9 . _ : + / = -`) makes a repeat answer with the same session. `Prefer: respond-async` queues the create and answers 202; at the account’s cap such a create waits in order for room, where any other is refused with 429. What the session could not be given is refused: an agent, secret, sandbox template, provider or connector that is not there; with 422 `SANDBOX_TEMPLATE_REFUSED` a template that the platform’s provider of sandboxes cannot make. A model of the gateway’s is refused as the gateway would refuse its first call: 402 `budget_exceeded` with the budget, or the code of the account’s plan and credit; 403 `model_not_allowed` with `by`; 404 `model_not_found`.',
  method: 'post',
  path: base,
  request: {
    params: ProjectParams,
    headers: z.object({ 'idempotency-key': IdempotencyKey, prefer: Prefer }),
    body: body(CreateSession, false),
  },
  responses: {
    201: json(Session, 'The session, provisioning'),
    202: json(QueuedSession, 'Queued: poll the session until it appears'),
    ...refusals(400, 402, 403, 404, 409, 415, 422, 429),
  },
})

export const listSessions = createRoute({
  ...common,
  operationId: 'listSessions',
  ...reachedBy({ capability: 'project.session.read' }),
  summary: 'List sessions, newest first',
  description:
    'Find sessions by their status (those that failed, or that run), origin, label or name. The next cursor is in `X-Next-Cursor`; `If-None-Match` with the `ETag` answers 304 while nothing changed.',
  method: 'get',
  path: base,
  request: {
    params: ProjectParams,
    query: PageQuery.extend({
      status: z.enum(sessionMachine.states).optional().openapi({ description: 'Only those of this status' }),
      origin: z.enum(sessionOrigins).optional().openapi({ description: 'Only those started this way' }),
      label: z.string().max(limits.labelLength).optional().openapi({ description: 'Only those with it' }),
      q: z.string().max(200).optional().openapi({ description: 'Part of the name, or the start of the id' }),
    }),
  },
  responses: {
    200: json(z.array(Session), 'One page'),
    304: { description: 'Unchanged' },
    ...refusals(400, 403, 404),
  },
})

export const getSession = createRoute({
  ...common,
  operationId: 'getSession',
  ...reachedBy({ capability: 'project.session.read' }),
  summary: 'Read a session',
  description: '404 until a queued create has made it.',
  method: 'get',
  path: `${base}/{session_id}`,
  request: { params: SessionParams },
  responses: { 200: json(Session, 'The session'), ...refusals(400, 403, 404) },
})

export const updateSession = createRoute({
  ...common,
  operationId: 'updateSession',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Edit the name, metadata or labels of a session, or share it',
  description: 'Only the given fields; `metadata` and `labels` are replaced whole.',
  method: 'patch',
  path: `${base}/{session_id}`,
  request: {
    params: SessionParams,
    body: body(
      z
        .strictObject({
          name: text(200).min(1).nullable().optional(),
          metadata: Metadata.optional(),
          labels: z.array(text(limits.labelLength).min(1)).max(limits.labels).optional(),
          visibility: z.enum(['private', 'project']).optional().openapi({
            description: 'With `project`, every member who may start sessions there speaks to its agent',
          }),
        })
        .openapi('UpdateSession', { example: examples.updateSession }),
    ),
  },
  responses: { 200: json(Session, 'The session'), ...refusals(400, 403, 404, 409, 415) },
})

export const deleteSession = createRoute({
  ...common,
  operationId: 'deleteSession',
  ...reachedBy({ capability: 'project.session.stop' }),
  summary: 'Delete a session and its sandbox; the branch stays',
  description: 'It is not listed any more and cannot be started again.',
  method: 'delete',
  path: `${base}/{session_id}`,
  request: { params: SessionParams },
  responses: { 204: { description: 'Deleted' }, ...refusals(400, 403, 404) },
})

export const stopSession = createRoute({
  ...common,
  operationId: 'stopSession',
  ...reachedBy({ capability: 'project.session.stop' }),
  summary: 'Stop the sandbox; its files stay',
  description:
    'The turn that runs gets a moment to end and is then interrupted, and the work in progress is saved, all within a few seconds.',
  method: 'post',
  path: `${base}/{session_id}/stop`,
  request: { params: SessionParams },
  responses: { 200: json(Session, 'The session'), ...refusals(400, 403, 404, 409) },
})

export const startSession = createRoute({
  ...common,
  operationId: 'startSession',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Resume a stopped session; waits up to 20 s until it runs',
  description:
    'One that does not run by then is still coming up: read it again. 429 `session_limit_reached` at the account’s cap.',
  method: 'post',
  path: `${base}/{session_id}/start`,
  request: { params: SessionParams },
  responses: { 200: json(Session, 'The session'), ...refusals(400, 403, 404, 409, 422, 429) },
})

export const restartSession = createRoute({
  ...common,
  operationId: 'restartSession',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Give a session a new sandbox with fresh tokens, on the same branch',
  description:
    'The tokens of the old sandbox are of no use from this answer on. The new one gets the work in progress that was saved last, and goes on with the conversation.',
  method: 'post',
  path: `${base}/{session_id}/restart`,
  request: { params: SessionParams },
  responses: { 200: json(Session, 'The session, provisioning'), ...refusals(400, 403, 404, 409, 422, 429) },
})

export const refreshSession = createRoute({
  ...common,
  operationId: 'refreshSession',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Take up what others pushed',
  description:
    'Pulls the branch again in the sandbox and restarts the runtime in place, at once or as soon as it is idle. Work that is there is left as it is: where it stands in the way the answer is 409 `REFRESH_BLOCKED`, and `message` says what to do. 409 `SESSION_NOT_RUNNING` where nothing is up.',
  method: 'post',
  path: `${base}/{session_id}/refresh`,
  request: { params: SessionParams },
  responses: {
    200: json(RefreshedSession, 'What was pulled, and when the runtime starts anew'),
    ...refusals(400, 403, 404, 409, 502, 503),
  },
})

export const abortSession = createRoute({
  ...common,
  operationId: 'abortSession',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Abort the current turn',
  description:
    'It ends as aborted; prompts that wait have their turns afterwards. An idle runtime is left alone. 409 `SESSION_NOT_RUNNING` where nothing is up.',
  method: 'post',
  path: `${base}/{session_id}/abort`,
  request: { params: SessionParams },
  responses: {
    200: json(z.object({ ok: z.literal(true) }), 'Nothing runs any more'),
    ...refusals(400, 403, 404, 409, 502, 503),
  },
})
