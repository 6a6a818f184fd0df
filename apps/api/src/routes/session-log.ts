import { OpenAPIHono } from '@hono/zod-openapi'
import { sessionLog } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'
import type { OpenStreams } from '../stream/open-streams.ts'
import { streamEvents } from '../stream/stream-events.ts'

export function sessionLogRoutes(streams: OpenStreams) {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(sessionLog.listSessionEvents, async (c) => {
    const { accept, 'last-event-id': last_event_id } = c.req.valid('header')
    const { limit, after } = c.req.valid('query')
    const address = c.req.valid('param')
    if (!accept?.includes('text/event-stream')) {
      return c.json(await verbs.listSessionEvents(c.var.ctx, { ...address, after, limit }), 200)
    }
    const start = last_event_id === undefined || last_event_id === '' ? after : seqOf(last_event_id)
    return streamEvents(c, streams, await verbs.openSessionEvents(c.var.ctx, { ...address, after: start }))
  })
  app.openapi(sessionLog.getSessionTranscript, async (c) => {
    const address = c.req.valid('param')
    if (!c.req.valid('header').accept?.includes('text/markdown')) {
      return c.json(await verbs.getSessionTranscript(c.var.ctx, address), 200)
    }
    const text = await verbs.getSessionTranscriptText(c.var.ctx, address)
    return c.text(text, 200, { 'Content-Type': 'text/markdown; charset=utf-8' })
  })
  return app
}

/** A client that resumes tells the last event it saw; that wins over the address it first asked for. */
function seqOf(last_event_id: string): number {
  if (/^[0-9]{1,15}$/.test(last_event_id)) return Number(last_event_id)
  const message = 'must be the id of an event of this stream'
  throw new ServiceError('invalid_request', `last-event-id: ${message}`, {
    issues: [{ path: 'last-event-id', message }],
  })
}
