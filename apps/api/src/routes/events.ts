import { OpenAPIHono } from '@hono/zod-openapi'
import { accountEvents, events } from '@svc/contract'
import * as verbs from '@svc/events'
import type { AppEnv } from '../parts.ts'
import type { OpenStreams } from '../stream/open-streams.ts'
import { resumeFrom } from '../stream/resume.ts'
import { streamEvents } from '../stream/stream-events.ts'

/** The log of a project, and the addresses that are told of it. */
export function eventRoutes(streams: OpenStreams) {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(events.listEvents, async (c) => {
    const { accept, 'last-event-id': seen } = c.req.valid('header')
    const input = inputOf({ ...c.req.valid('query'), ...c.req.valid('param') }, seen)
    if (!accept?.includes('text/event-stream')) return c.json(await verbs.listEvents(c.var.ctx, input), 200)
    return streamEvents(c, streams, await verbs.followEvents(c.var.ctx, input))
  })
  app.openapi(events.listEventSubscriptions, async (c) =>
    c.json(await verbs.listSubscriptions(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(events.createEventSubscription, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.createSubscription(c.var.ctx, input), 201)
  })
  app.openapi(events.getEventSubscription, async (c) =>
    c.json(await verbs.getSubscription(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(events.updateEventSubscription, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.updateSubscription(c.var.ctx, input), 200)
  })
  app.openapi(events.deleteEventSubscription, async (c) => {
    await verbs.deleteSubscription(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(events.rotateEventSubscriptionSecret, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.rotateSubscriptionSecret(c.var.ctx, input), 201)
  })
  app.openapi(events.pingEventSubscription, async (c) =>
    c.json(await verbs.pingSubscription(c.var.ctx, c.req.valid('param')), 202),
  )
  app.openapi(events.replayEvents, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.replayEvents(c.var.ctx, input), 202)
  })
  app.openapi(events.listEventDeliveries, async (c) => {
    const input = { ...c.req.valid('query'), ...c.req.valid('param') }
    return c.json(await verbs.listDeliveries(c.var.ctx, input), 200)
  })
  app.openapi(events.getEventDelivery, async (c) =>
    c.json(await verbs.getDelivery(c.var.ctx, c.req.valid('param')), 200),
  )
  return app
}

/** The same of an account, for its admins. */
export function accountEventRoutes(streams: OpenStreams) {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(accountEvents.listAccountEvents, async (c) => {
    const { accept, 'last-event-id': seen } = c.req.valid('header')
    const input = inputOf({ ...c.req.valid('query'), ...c.req.valid('param') }, seen)
    if (!accept?.includes('text/event-stream')) return c.json(await verbs.listEvents(c.var.ctx, input), 200)
    return streamEvents(c, streams, await verbs.followEvents(c.var.ctx, input))
  })
  app.openapi(accountEvents.listAccountEventSubscriptions, async (c) =>
    c.json(await verbs.listSubscriptions(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(accountEvents.createAccountEventSubscription, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.createSubscription(c.var.ctx, input), 201)
  })
  app.openapi(accountEvents.getAccountEventSubscription, async (c) =>
    c.json(await verbs.getSubscription(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(accountEvents.updateAccountEventSubscription, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.updateSubscription(c.var.ctx, input), 200)
  })
  app.openapi(accountEvents.deleteAccountEventSubscription, async (c) => {
    await verbs.deleteSubscription(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(accountEvents.rotateAccountEventSubscriptionSecret, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.rotateSubscriptionSecret(c.var.ctx, input), 201)
  })
  app.openapi(accountEvents.pingAccountEventSubscription, async (c) =>
    c.json(await verbs.pingSubscription(c.var.ctx, c.req.valid('param')), 202),
  )
  app.openapi(accountEvents.replayAccountEvents, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.replayEvents(c.var.ctx, input), 202)
  })
  app.openapi(accountEvents.listAccountEventDeliveries, async (c) => {
    const input = { ...c.req.valid('query'), ...c.req.valid('param') }
    return c.json(await verbs.listDeliveries(c.var.ctx, input), 200)
  })
  app.openapi(accountEvents.getAccountEventDelivery, async (c) =>
    c.json(await verbs.getDelivery(c.var.ctx, c.req.valid('param')), 200),
  )
  return app
}

interface LogQuery {
  readonly account_id?: string
  readonly project_id?: string | undefined
  readonly types?: string | undefined
  readonly after: number
  readonly limit: number
}

function inputOf({ types, ...query }: LogQuery, last_event_id: string | undefined) {
  const after = resumeFrom({ 'last-event-id': last_event_id }, query.after)
  const patterns = types?.split(',').map((one) => one.trim())
  return { ...query, after, types: patterns?.filter((one) => one !== '') }
}
