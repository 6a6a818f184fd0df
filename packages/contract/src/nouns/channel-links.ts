import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { ChannelLinkId } from '../kit/parameters.ts'
import { ChannelLink, ChannelLinkPreview } from './channel-records.ts'

export { ChannelLink, ChannelLinkPreview }

const mine = { tags: ['Channels'], ...reachedBy({ any_person: true }) }
const base = '/v1/channel-links'

const Token = z
  .strictObject({
    token: text(512).min(1).openapi({ description: 'As the link has it that the bot sent' }),
  })
  .openapi('ChannelLinkToken', { example: examples.channelLinkToken })

export const previewChannelLink = createRoute({
  ...mine,
  operationId: 'previewChannelLink',
  summary: 'Read which sender a token would link to you',
  description:
    'Changes nothing. A token holds for ten minutes, once, and for members of the account: 404 `link_not_found` otherwise.',
  method: 'post',
  path: `${base}/preview`,
  request: { body: body(Token) },
  responses: {
    200: json(ChannelLinkPreview, 'The sender who would act as you'),
    ...refusals(400, 403, 404, 415),
  },
})

export const linkChannelSender = createRoute({
  ...mine,
  operationId: 'linkChannelSender',
  summary: 'Link a sender of a chat or of mail to you',
  description:
    'From then on they act with your rights, in every project of the account; messages of the last ten minutes start by themselves. 404 `link_not_found` for a token that is used, old or unknown, and for people who are not in the account. 409 `already_linked` when the sender is linked to another person.',
  method: 'post',
  path: base,
  request: { body: body(Token) },
  responses: { 201: json(ChannelLink, 'Linked'), ...refusals(400, 403, 404, 409, 415) },
})

export const listChannelLinks = createRoute({
  ...mine,
  operationId: 'listChannelLinks',
  summary: 'List the senders that are linked to you',
  description: 'Over all accounts and platforms.',
  method: 'get',
  path: base,
  responses: {
    200: json(z.object({ links: z.array(ChannelLink) }), 'Your links'),
    ...refusals(403),
  },
})

export const unlinkChannelSender = createRoute({
  ...mine,
  operationId: 'unlinkChannelSender',
  summary: 'End a link of yours',
  description: 'The sender acts as you no more. 404 for the link of another person.',
  method: 'delete',
  path: `${base}/{link_id}`,
  request: { params: z.object({ link_id: ChannelLinkId }) },
  responses: { 204: { description: 'Ended' }, ...refusals(400, 403, 404) },
})
