import { OpenAPIHono } from '@hono/zod-openapi'
import { changes } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'
import type { OpenStreams } from '../stream/open-streams.ts'
import { streamEvents } from '../stream/stream-events.ts'

export function changeRoutes(streams: OpenStreams) {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(changes.followChanges, async (c) => {
    const events = await verbs.followChanges(c.var.ctx)
    // A stream has no end: one who does not say that they take it would wait for good.
    if (!/text\/event-stream|text\/\*|\*\/\*/.test(c.req.header('Accept') ?? ''))
      throw new ServiceError('invalid_request', 'This is an event stream; ask with Accept: text/event-stream')
    return streamEvents(c, streams, events)
  })
  return app
}
