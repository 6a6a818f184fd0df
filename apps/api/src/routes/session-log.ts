import { OpenAPIHono } from '@hono/zod-openapi'
import { sessionLog } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'
import type { OpenStreams } from '../stream/open-streams.ts'
import { resumeFrom, wantsStream } from '../stream/resume.ts'
import { streamEvents } from '../stream/stream-events.ts'

export function sessionLogRoutes(streams: OpenStreams) {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(sessionLog.listSessionEvents, async (c) => {
    const header = c.req.valid('header')
    const { limit, after } = c.req.valid('query')
    const address = c.req.valid('param')
    if (!wantsStream(header)) {
      return c.json(await verbs.listSessionEvents(c.var.ctx, { ...address, after, limit }), 200)
    }
    const start = resumeFrom(header, after)
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
