import { OpenAPIHono } from '@hono/zod-openapi'
import { channelLimits } from '@svc/channel'
import * as verbs from '@svc/channels'
import { channelLinks, channels } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import type { z } from 'zod'
import { readIncoming, readUpTo } from '../door/read-up-to.ts'
import type { ApiParts, AppEnv } from '../parts.ts'

/** Places where people write, their door, and who is who there. */
export function channelRoutes({
  channel_platforms = verbs.noChannelPlatforms,
}: Pick<ApiParts, 'channel_platforms'>) {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(channels.listChannels, async (c) =>
    c.json(await verbs.listChannels(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(channels.connectChannel, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.connectChannel({ ...c.var.ctx, channel_platforms }, input), 201)
  })
  app.openapi(channels.getChannel, async (c) =>
    c.json(await verbs.getChannel(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(channels.updateChannel, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.updateChannel({ ...c.var.ctx, channel_platforms }, input), 200)
  })
  app.openapi(channels.disconnectChannel, async (c) => {
    await verbs.disconnectChannel(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(channels.testChannel, async (c) =>
    c.json(await verbs.testChannel({ ...c.var.ctx, channel_platforms }, c.req.valid('param')), 200),
  )
  app.openapi(channels.listChannelThreads, async (c) =>
    c.json(
      await verbs.listChannelThreads(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }),
      200,
    ),
  )
  app.openapi(channels.listChannelDeliveries, async (c) =>
    c.json(
      await verbs.listChannelDeliveries(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }),
      200,
    ),
  )
  app.openapi(channels.replayChannelDelivery, async (c) =>
    c.json(await verbs.replayChannelDelivery(c.var.ctx, c.req.valid('param')), 202),
  )
  app.openapi(channels.decideChannelDelivery, async (c) =>
    c.json(
      await verbs.decideChannelDelivery(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }),
      200,
    ),
  )
  app.openapi(channels.listChannelMessages, async (c) =>
    c.json(
      await verbs.listChannelMessages(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }),
      200,
    ),
  )
  app.openapi(channels.sendChannelMessage, async (c) => {
    const sent = await sentMessage(c.req.valid('json'), c.req.valid('form'))
    return c.json(await verbs.sendChannelMessage(c.var.ctx, { ...sent, ...c.req.valid('param') }), 202)
  })
  app.openapi(channels.listLinksOfChannel, async (c) =>
    c.json(
      await verbs.listLinksOfChannel(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }),
      200,
    ),
  )
  app.openapi(channels.removeLinkOfChannel, async (c) => {
    await verbs.removeLinkOfChannel(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(channels.receiveChannelMessage, async (c) => {
    const { raw } = c.req
    const incoming = c.env?.incoming
    const answer = await verbs.receiveChannelMessage(c.get('ctx'), {
      ...c.req.valid('param'),
      headers: raw.headers,
      body: () =>
        incoming === undefined
          ? readUpTo(raw.body, channelLimits.bodyBytes)
          : readIncoming(incoming, channelLimits.bodyBytes),
    })
    return c.json(answer, 200)
  })
  app.openapi(channelLinks.previewChannelLink, async (c) =>
    c.json(await verbs.previewChannelLink(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(channelLinks.linkChannelSender, async (c) =>
    c.json(await verbs.linkChannelSender(c.var.ctx, c.req.valid('json')), 201),
  )
  app.openapi(channelLinks.listChannelLinks, async (c) =>
    c.json(await verbs.listChannelLinks(c.var.ctx), 200),
  )
  app.openapi(channelLinks.unlinkChannelSender, async (c) => {
    await verbs.unlinkChannelSender(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  return app
}

type Sent = z.output<typeof channels.SendChannelMessage>
type SentFiles = z.output<typeof channels.SendChannelFiles>

/** A message as it came, alone or with files; a body of either kind leaves the other one empty. */
async function sentMessage(json: Sent | SentFiles, form: Sent | SentFiles) {
  const { message, file = [] } = 'file' in form ? form : {}
  const sent = 'text' in json ? json : message
  if (sent === undefined)
    throw new ServiceError('invalid_request', 'The body is missing; send the message as JSON')
  const files = await Promise.all(
    file.map(async (one) => ({
      name: one.name,
      type: one.type || 'application/octet-stream',
      content: new Uint8Array(await one.arrayBuffer()),
    })),
  )
  return { ...sent, files }
}
