import { OpenAPIHono } from '@hono/zod-openapi'
import * as verbs from '@svc/apps'
import { apps } from '@svc/contract'
import type { Context } from 'hono'
import type { AppEnv } from '../../parts.ts'
import type { OpenStreams } from '../../stream/open-streams.ts'
import { resumeFrom, type StreamHeaders, wantsStream } from '../../stream/resume.ts'
import { streamEvents } from '../../stream/stream-events.ts'
import { wire } from '../wire.ts'

type LogInput = Parameters<typeof verbs.readAppLog>[1]

/** The apps that the default branch declares, and the people who may look at them. */
export function appRoutes(streams: OpenStreams) {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(apps.listApps, async (c) =>
    c.json(wire(await verbs.listApps(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(apps.checkApps, async (c) =>
    c.json(wire(await verbs.checkApps(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') })), 200),
  )
  app.openapi(apps.getApp, async (c) => {
    const { etag, ...answer } = await verbs.getApp(c.var.ctx, c.req.valid('param'))
    return c.json(wire(answer), 200, { ETag: etag })
  })
  app.openapi(apps.updateApp, async (c) =>
    c.json(wire(await verbs.updateApp(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') })), 200),
  )
  app.openapi(apps.stopApp, async (c) =>
    c.json(wire(await verbs.stopApp(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(apps.startApp, async (c) =>
    c.json(wire(await verbs.startApp(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(apps.readAppEnv, async (c) =>
    c.json(wire(await verbs.readAppEnv(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(apps.listAppMetrics, async (c) => {
    const input = { ...c.req.valid('param'), ...c.req.valid('query') }
    return c.json(wire(await verbs.listAppMetrics(c.var.ctx, input)), 200)
  })
  app.openapi(apps.readAppMetrics, async (c) =>
    c.json(
      wire(await verbs.readAppMetrics(c.var.ctx, { ...c.req.valid('param'), ...c.req.valid('query') })),
      200,
    ),
  )
  app.openapi(apps.readAppUsage, async (c) =>
    c.json(wire(await verbs.readAppUsage(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(apps.enterApp, async (c) =>
    c.json(wire(await verbs.enterApp(c.var.ctx, c.req.valid('json'))), 201),
  )
  const log = async (c: Context<AppEnv>, header: StreamHeaders, input: LogInput) => {
    if (wantsStream(header)) {
      const from = { ...input, after: resumeFrom(header, input.after) }
      return streamEvents(c, streams, await verbs.followAppLog(c.var.ctx, from))
    }
    const { ended: _, ...page } = await verbs.readAppLog(c.var.ctx, input)
    return c.json(wire(page), 200)
  }
  app.openapi(apps.readAppLog, (c) =>
    log(c, c.req.valid('header'), { ...c.req.valid('param'), ...c.req.valid('query') }),
  )
  app.openapi(apps.readAppReleaseLog, (c) => {
    const { number: release, ...address } = c.req.valid('param')
    return log(c, c.req.valid('header'), { ...address, release, ...c.req.valid('query') })
  })
  app.openapi(apps.readAppEvents, async (c) => {
    const input = { ...c.req.valid('param'), ...c.req.valid('query') }
    const header = c.req.valid('header')
    if (!wantsStream(header)) return c.json(wire(await verbs.readAppEvents(c.var.ctx, input)), 200)
    const from = { ...input, after: resumeFrom(header, input.after) }
    return streamEvents(c, streams, await verbs.followAppEvents(c.var.ctx, from))
  })
  return app
}
