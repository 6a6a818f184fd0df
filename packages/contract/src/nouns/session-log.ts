import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { refusals } from '../kit/common.ts'
import { SessionEvent } from './events.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'
import { Accept, After, LastEventId, Limit, TranscriptAccept } from '../kit/parameters.ts'
import { TranscriptMessage } from './session-records.ts'
import { SessionParams } from './sessions.ts'

export { TranscriptMessage }

const common = { tags: ['Sessions'] }
const base = '/v1/projects/{project_id}/sessions/{session_id}'

export const listSessionEvents = createRoute({
  ...common,
  operationId: 'listSessionEvents',
  ...reachedBy({ capability: 'project.session.read' }),
  summary: 'The event log of a session',
  description:
    'With `Accept: text/event-stream` the same objects arrive as they happen (`id` = seq, `event` = type), from `Last-Event-ID` or `after` on. Message deltas are streamed but not stored.',
  method: 'get',
  path: `${base}/events`,
  request: {
    params: SessionParams,
    headers: z.object({ 'last-event-id': LastEventId, accept: Accept }),
    query: z.object({ after: After, limit: Limit(1, limits.pageMax, limits.pageMax) }),
  },
  responses: {
    200: {
      description: 'Events after the given one',
      content: {
        'application/json': {
          schema: z.object({
            events: z.array(SessionEvent),
            first_seq: z.int().openapi({ description: 'The first event that is kept' }),
            last_seq: z.int(),
          }),
        },
        'text/event-stream': { schema: z.string(), example: examples.eventStream },
      },
    },
    ...refusals(400, 403, 404, 503),
  },
})

export const getSessionTranscript = createRoute({
  ...common,
  operationId: 'getSessionTranscript',
  ...reachedBy({ capability: 'project.session.read' }),
  summary: 'The conversation, also when the sandbox is gone',
  description: 'With `Accept: text/markdown` as a text for people.',
  method: 'get',
  path: `${base}/transcript`,
  request: { params: SessionParams, headers: z.object({ accept: TranscriptAccept }) },
  responses: {
    200: {
      description: 'The conversation',
      content: {
        'application/json': {
          schema: z.object({ session_id: z.uuid(), messages: z.array(TranscriptMessage) }),
        },
        'text/markdown': { schema: z.string(), example: examples.transcriptMarkdown },
      },
    },
    ...refusals(400, 403, 404, 503),
  },
})
