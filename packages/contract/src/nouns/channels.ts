import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, PageQuery, ProjectParams, refusals } from '../kit/common.ts'
import { ChannelDeliveryId, ChannelId, ChannelLinkId, ChannelSlug, ProjectId } from '../kit/parameters.ts'
import { DecideChannelDelivery, SendChannelFiles, SendChannelMessage } from './channel-bodies.ts'
import {
  Channel,
  ChannelDelivery,
  ChannelFile,
  ChannelLink,
  ChannelMessage,
  ChannelMessageState,
  ChannelPlatform,
  ChannelTest,
  ChannelThread,
  ChannelVerdict,
  ConnectChannel,
  UpdateChannel,
} from './channel-records.ts'

export { SendChannelFiles, SendChannelMessage }
export {
  Channel,
  ChannelDelivery,
  ChannelFile,
  ChannelLink,
  ChannelMessage,
  ChannelPlatform,
  ChannelTest,
  ChannelThread,
  ConnectChannel,
  UpdateChannel,
}

const common = { tags: ['Channels'] }
const base = '/v1/projects/{project_id}/channels'
const one = `${base}/{slug}`
const read = { ...common, ...reachedBy({ capability: 'project.connector.read' }) }
const write = { ...common, ...reachedBy({ capability: 'project.connector.write' }) }
const start = { ...common, ...reachedBy({ capability: 'project.session.start' }) }
const manage = { ...common, ...reachedBy({ capability: 'project.connector.connections.manage' }) }
const next_cursor = z.string().nullable()

export const ChannelParams = z.object({ project_id: ProjectId, slug: ChannelSlug })

export const listChannels = createRoute({
  ...read,
  operationId: 'listChannels',
  summary: 'List the chats and mailboxes that are connected to a project',
  description: 'With the state of each, and never a credential.',
  method: 'get',
  path: base,
  request: { params: ProjectParams },
  responses: {
    200: json(z.object({ channels: z.array(Channel) }), 'The channels'),
    ...refusals(400, 403, 404),
  },
})

export const connectChannel = createRoute({
  ...manage,
  operationId: 'connectChannel',
  summary: 'Connect a chat or a mailbox, from which people then use agents',
  description:
    'The credentials are tried, then sealed, and never read back: 422 `channel_not_usable` with `reason` (`credential_refused`, `unreachable`, `private_address`, `missing_scope`, `no_mail_route`). Another slug than the reserved one is of a connector that the default branch declares with this platform: 400 `channel_not_declared`. 409 when the slug is taken. Slack by events posts to `receive_url`.',
  method: 'post',
  path: base,
  request: { params: ProjectParams, body: body(ConnectChannel) },
  responses: { 201: json(Channel, 'Connected'), ...refusals(400, 403, 404, 409, 415, 422) },
})

export const getChannel = createRoute({
  ...read,
  operationId: 'getChannel',
  summary: 'Get a channel: its state, its rules and the bot that it is',
  description: 'Never a credential.',
  method: 'get',
  path: one,
  request: { params: ChannelParams },
  responses: { 200: json(Channel, 'The channel'), ...refusals(400, 403, 404) },
})

export const updateChannel = createRoute({
  ...write,
  operationId: 'updateChannel',
  summary: 'Change the rules of a channel, or give it new credentials',
  description:
    'What is left out stays; `conversations` are replaced whole. New credentials need `project.connector.connections.manage` as well and are tried first: 422 `channel_not_usable` with `reason`.',
  method: 'patch',
  path: one,
  request: { params: ChannelParams, body: body(UpdateChannel) },
  responses: { 200: json(Channel, 'The channel'), ...refusals(400, 403, 404, 409, 415, 422) },
})

export const disconnectChannel = createRoute({
  ...manage,
  operationId: 'disconnectChannel',
  summary: 'Disconnect a channel',
  description: 'Its credentials are destroyed, and nothing is received or sent any more. Threads stay.',
  method: 'delete',
  path: one,
  request: { params: ChannelParams },
  responses: { 204: { description: 'Disconnected' }, ...refusals(400, 403, 404) },
})

export const testChannel = createRoute({
  ...manage,
  operationId: 'testChannel',
  summary: 'Try whether a channel works, check by check',
  description: 'Writes into no conversation.',
  method: 'post',
  path: `${one}/test`,
  request: { params: ChannelParams },
  responses: { 200: json(ChannelTest, 'The checks'), ...refusals(400, 403, 404, 409) },
})

export const listChannelThreads = createRoute({
  ...read,
  operationId: 'listChannelThreads',
  summary: 'List the threads of a channel with their sessions, newest first',
  description: 'One session a thread.',
  method: 'get',
  path: `${one}/threads`,
  request: { params: ChannelParams, query: PageQuery },
  responses: {
    200: json(z.object({ threads: z.array(ChannelThread), next_cursor }), 'One page'),
    ...refusals(400, 403, 404),
  },
})

export const listChannelDeliveries = createRoute({
  ...read,
  operationId: 'listChannelDeliveries',
  summary: 'List what a channel received and what became of it, newest first',
  description: 'Kept for 30 days.',
  method: 'get',
  path: `${one}/deliveries`,
  request: {
    params: ChannelParams,
    query: PageQuery.extend({
      verdict: ChannelVerdict.optional().openapi({ description: 'Only those with this verdict' }),
    }),
  },
  responses: {
    200: json(z.object({ deliveries: z.array(ChannelDelivery), next_cursor }), 'One page'),
    ...refusals(400, 403, 404),
  },
})

export const replayChannelDelivery = createRoute({
  ...manage,
  operationId: 'replayChannelDelivery',
  summary: 'Work on a delivery once more that failed',
  description:
    'As when it arrived, with the rights of its sender now. 409 `delivery_not_failed` for another.',
  method: 'post',
  path: `${one}/deliveries/{delivery_id}/replay`,
  request: { params: ChannelParams.extend({ delivery_id: ChannelDeliveryId }) },
  responses: { 202: json(ChannelDelivery, 'It waits again'), ...refusals(400, 403, 404, 409) },
})

export const decideChannelDelivery = createRoute({
  ...start,
  operationId: 'decideChannelDelivery',
  summary: 'Let a message that waits speak to the agent of a thread, or refuse it',
  description:
    'Of messages with the verdict `asked`, by the person who began the thread, as the buttons of its card do; others get 403. Open for 30 minutes, and the first decision counts: 409 `ASK_NOT_PENDING` after it.',
  method: 'post',
  path: `${one}/deliveries/{delivery_id}/decision`,
  request: {
    params: ChannelParams.extend({ delivery_id: ChannelDeliveryId }),
    body: body(DecideChannelDelivery),
  },
  responses: { 200: json(ChannelDelivery, 'It was decided'), ...refusals(400, 403, 404, 409) },
})

export const listChannelMessages = createRoute({
  ...read,
  operationId: 'listChannelMessages',
  summary: 'List what a channel sent and has to send, newest first',
  description: 'Never its text. One message of a thread is sent at a time, in the order of `position`.',
  method: 'get',
  path: `${one}/messages`,
  request: {
    params: ChannelParams,
    query: PageQuery.extend({
      state: ChannelMessageState.optional().openapi({ description: 'Only those in this state' }),
    }),
  },
  responses: {
    200: json(z.object({ messages: z.array(ChannelMessage), next_cursor }), 'One page'),
    ...refusals(400, 403, 404),
  },
})

export const sendChannelMessage = createRoute({
  ...write,
  operationId: 'sendChannelMessage',
  summary: 'Send a message, and files with it, into a thread or a conversation of a channel',
  description:
    'The conversation is one that the channel lists, or one that holds a thread of the project: else 403 `conversation_not_in_project`. An agent needs the slug among its `connectors`, but not for its own thread, which is also where its message goes that names neither `thread_id` nor `conversation`. With `idempotency_key` a repeated request is the same message. Files come as `multipart/form-data`: `message` as JSON, and a part `file` for each, up to 10 of 20 MiB, 50 MiB together; each becomes a message of kind `file` behind the text.',
  method: 'post',
  path: `${one}/messages`,
  request: {
    params: ChannelParams,
    body: {
      content: {
        'application/json': { schema: SendChannelMessage },
        'multipart/form-data': { schema: SendChannelFiles },
      },
    },
  },
  responses: { 202: json(ChannelMessage, 'On its way'), ...refusals(400, 403, 404, 409, 415) },
})

export const listLinksOfChannel = createRoute({
  ...read,
  operationId: 'listLinksOfChannel',
  summary: 'List the people who are linked to senders of a channel',
  description: 'A link counts for the whole account: a person who is linked in one project is linked in all.',
  method: 'get',
  path: `${one}/links`,
  request: { params: ChannelParams, query: PageQuery },
  responses: {
    200: json(z.object({ links: z.array(ChannelLink), next_cursor }), 'One page'),
    ...refusals(400, 403, 404),
  },
})

export const removeLinkOfChannel = createRoute({
  ...manage,
  operationId: 'removeLinkOfChannel',
  summary: 'End the link of a person and a sender of a channel',
  description: 'For the whole account. The sender can be linked anew.',
  method: 'delete',
  path: `${one}/links/{link_id}`,
  request: { params: ChannelParams.extend({ link_id: ChannelLinkId }) },
  responses: { 204: { description: 'Ended' }, ...refusals(400, 403, 404) },
})

const slackHeaders = z.object({
  'x-slack-signature': z
    .string()
    .optional()
    .openapi({ description: '`v0=` and the HMAC-SHA256 of `v0:<timestamp>:<body>`, in hexadecimal' }),
  'x-slack-request-timestamp': z
    .string()
    .optional()
    .openapi({ description: 'The time in seconds, at most five minutes ago' }),
})

/** The body may be anything, so that its bytes reach the signature as they came. */
export const receiveChannelMessage = createRoute({
  tags: ['Webhooks'],
  ...reachedBy({ public: true }),
  operationId: 'receiveChannelMessage',
  summary: 'Deliver an event or an action of Slack to a channel',
  description:
    'For Slack alone, signed with the signing secret of the app: 401 for a signature that is missing, wrong or old, 404 for a channel that does not receive by events. The answer comes once it is kept; the same event again makes nothing. `url_verification` is answered with its `challenge`. The body is up to 1 MiB.',
  method: 'post',
  path: '/v1/webhooks/channels/{channel_id}',
  request: { params: z.object({ channel_id: ChannelId }), headers: slackHeaders },
  responses: {
    200: json(
      z.object({ challenge: z.string().optional() }).openapi('ReceivedChannelMessage'),
      'Kept, or known already',
    ),
    ...refusals(400, 404, 413),
  },
})
