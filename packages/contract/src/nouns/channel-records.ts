import { z } from '@hono/zod-openapi'
import {
  channelPlatforms,
  channelPolicies,
  channelStatuses,
  channelTransports,
  chosenTransports,
  deliveryKinds,
  deliveryVerdicts,
  messageKinds,
  messageStates,
  threadReplies,
} from '@svc/channel/states'
import { slugPattern } from '@svc/facts'
import { text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'

export const ChannelPlatform = z.enum(channelPlatforms).openapi({
  description: '`chat_a`: Slack. `chat_b`: Matrix. `email`: mail',
})
export const ChannelVerdict = z.enum(deliveryVerdicts)
export const ChannelMessageState = z.enum(messageStates)

const policy = z.enum(channelPolicies).openapi({
  description:
    'Of messages by others than the one who began the thread. `owner_only`: refused. `owner_approval`: that person is asked. `project_open`: taken, with the rights of the sender',
})
const replies = z.enum(threadReplies).openapi({
  description: 'The messages of a thread of its own that count: all of them, or those that name the bot',
})
const name = text(100)
  .min(1)
  .refine((value) => value.trim().length > 0, 'must not be blank')
const agent = text(128).min(1)

const conversations = z
  .record(
    text(255).min(1),
    z.strictObject({ agent: agent.optional(), policy: policy.optional(), name: name.optional() }),
  )
  .refine(
    (all) => Object.keys(all).length <= limits.channelConversations,
    `must be at most ${limits.channelConversations} conversations`,
  )
  .openapi({
    description:
      'Settings of conversations by their ids at the platform. Messages of others are taken as well; to one that is listed here messages may be sent that answer none',
  })

const Identity = z
  .object({
    tenant: z.string().openapi({ description: 'The workspace, homeserver or mail domain' }),
    tenant_name: z.string(),
    user_id: z.string().openapi({ description: 'The bot, as the platform knows it' }),
    name: z.string(),
  })
  .openapi('ChannelIdentity')

export const Channel = z
  .object({
    channel_id: z.uuid(),
    project_id: z.uuid(),
    slug: z.string(),
    name: z.string().openapi({ description: 'For people; its slug where none was given' }),
    platform: ChannelPlatform,
    status: z.enum(channelStatuses).openapi({
      description:
        '`degraded`: it failed five times in a row, and is tried again. `disconnected`: by a person or the platform; its credentials are destroyed',
    }),
    transport: z.enum(channelTransports).openapi({ description: 'How messages arrive' }),
    agent: z.string().nullable().openapi({ description: 'Null: the agent that is the project’s default' }),
    policy,
    thread_replies: replies,
    conversations,
    settings: z.record(z.string(), z.unknown()).openapi({ description: 'As they were given' }),
    identity: Identity.nullable().openapi({ description: 'The bot as the platform describes it' }),
    blocked_until: Timestamp.nullable().openapi({
      description: 'The platform asked for a pause: nothing is sent until then',
    }),
    last_error: z.string().nullable(),
    last_received_at: Timestamp.nullable(),
    created_by: z.uuid().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    receive_url: z.string().nullable().openapi({
      description: 'The address that Slack posts to; null unless it is Slack by events',
    }),
  })
  .openapi('Channel')

const secret = text(8192).min(1)
const SlackCredentials = z.strictObject({
  bot_token: secret.openapi({ description: '`xoxb-…`' }),
  signing_secret: secret.optional().openapi({ description: 'To receive by events' }),
  app_token: secret.optional().openapi({ description: '`xapp-…`, to receive by a socket' }),
})
const MatrixCredentials = z.strictObject({ access_token: secret })
const MailCredentials = z.strictObject({
  imap: z
    .strictObject({
      host: text(253).min(1),
      port: z.int().min(1).max(65_535),
      user: text(320).min(1),
      password: secret,
    })
    .optional()
    .openapi({ description: 'A mailbox of its own; without it mail comes from the operator’s server' }),
})

const shared = {
  slug: z.string().regex(slugPattern, 'must be a slug').optional().openapi({
    description:
      'Of a connector with provider `channel` on the default branch; default: `svc_` and the platform, which needs none',
  }),
  name: name.optional(),
  agent: agent.optional(),
  policy: policy.optional().openapi({
    description: 'Default: `owner_approval`',
  }),
  thread_replies: replies.optional().openapi({ description: 'Default: `all`' }),
  conversations: conversations.optional(),
}
const address = text(2048).min(1)

export const ConnectChannel = z
  .discriminatedUnion(
    'platform',
    [
      z.strictObject({
        ...shared,
        platform: z.literal('chat_a'),
        credentials: SlackCredentials,
        settings: z
          .strictObject({
            transport: z.enum(chosenTransports).optional().openapi({
              description: 'Default: `socket` with an `app_token` and no `signing_secret`, else `events`',
            }),
            api_url: address.optional().openapi({ description: 'Another address than Slack’s own' }),
          })
          .optional(),
      }),
      z.strictObject({
        ...shared,
        platform: z.literal('chat_b'),
        credentials: MatrixCredentials,
        settings: z.strictObject({ homeserver_url: address }),
      }),
      z.strictObject({
        ...shared,
        platform: z.literal('email'),
        credentials: MailCredentials,
        settings: z
          .strictObject({
            local: z
              .string()
              .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be the part of an address before the @')
              .optional()
              .openapi({
                description:
                  'The part of its address before the @, of no other channel; default: the slug, or one that is made. Not of a mailbox',
              }),
            address: text(320).min(3).optional().openapi({
              description: 'The address of the mailbox, where its user is none',
            }),
            authserv_id: text(253).min(1).optional().openapi({
              description:
                'The server whose `Authentication-Results` are believed; default: that of the deployment',
            }),
          })
          .optional(),
      }),
    ],
    { error: `must be ${channelPlatforms.join(', ')}` },
  )
  .openapi('ConnectChannel', { example: examples.connectChannel })

export const UpdateChannel = z
  .strictObject({
    name: name.optional(),
    agent: agent.nullable().optional().openapi({ description: 'Null: the project’s default' }),
    policy: policy.optional(),
    thread_replies: replies.optional(),
    conversations: conversations.optional().openapi({ description: 'They are replaced whole' }),
    credentials: z
      .union([SlackCredentials, MatrixCredentials, MailCredentials], {
        error: 'must be the credentials of its platform, as for connecting it',
      })
      .optional()
      .openapi({ description: 'Needs `project.connector.connections.manage` as well' }),
  })
  .openapi('UpdateChannel', { example: examples.updateChannel })

export const ChannelTest = z
  .object({
    ok: z.boolean(),
    checks: z.array(
      z.object({ name: z.string(), ok: z.boolean(), message: z.string() }).openapi('ChannelCheck'),
    ),
  })
  .openapi('ChannelTest')

export const ChannelThread = z
  .object({
    thread_id: z.uuid(),
    external_key: z.string().openapi({ description: 'The thread, as the platform knows it' }),
    session_id: z.uuid().nullable(),
    title: z.string().nullable().openapi({
      description:
        'Of its session, as lists of sessions have it; null without one, and for a reader who may not read sessions',
    }),
    owner: z
      .object({ link_id: z.uuid(), display: z.string(), user_id: z.uuid() })
      .nullable()
      .openapi({ description: 'The one who began it' }),
    agent: z.string().nullable(),
    policy: z.enum(channelPolicies),
    created_at: Timestamp,
  })
  .openapi('ChannelThread')

export const ChannelFile = z
  .object({
    name: z.string().openapi({ description: 'Of `[A-Za-z0-9._-]` alone' }),
    type: z.string().openapi({ description: 'As its sender says' }),
    bytes: z.int(),
    left_out: z.string().nullable().openapi({ description: 'The reason, where it was not taken' }),
  })
  .openapi('ChannelFile')

export const ChannelDelivery = z
  .object({
    delivery_id: z.uuid(),
    platform_id: z.string().openapi({ description: 'Its id at the platform' }),
    kind: z.enum(deliveryKinds),
    sender: z.string(),
    text: z.string().openapi({ description: 'Its first 500 characters' }),
    files: z.array(ChannelFile).openapi({ description: 'Their contents are kept for 7 days' }),
    received_at: Timestamp,
    verdict: ChannelVerdict.openapi({
      description:
        '`held`: its sender is not linked yet. `asked`: the owner of the thread decides. `failed`: it can be replayed',
    }),
    reason: z.string().nullable(),
    thread_id: z.uuid().nullable(),
    prompt_id: z.uuid().nullable(),
    attempts: z.int(),
  })
  .openapi('ChannelDelivery')

export const ChannelMessage = z
  .object({
    message_id: z.uuid(),
    thread_id: z.uuid().nullable(),
    position: z.int().openapi({ description: 'Its place in the thread' }),
    kind: z.enum(messageKinds),
    state: ChannelMessageState,
    revision: z.int().openapi({ description: 'Counts its edits' }),
    files: z.array(ChannelFile).openapi({ description: 'Of kind `file`: the file that it is' }),
    error: z.string().nullable(),
    created_at: Timestamp,
    sent_at: Timestamp.nullable(),
  })
  .openapi('ChannelMessage')

export const ChannelLink = z
  .object({
    link_id: z.uuid(),
    account_id: z.uuid(),
    platform: ChannelPlatform,
    tenant: z.string(),
    external_user: z.string().openapi({ description: 'The sender, as the platform knows them' }),
    display: z.string(),
    user_id: z.uuid(),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
  })
  .openapi('ChannelLink')

export const ChannelLinkPreview = z
  .object({
    platform: ChannelPlatform,
    tenant: z.string(),
    display: z.string().openapi({ description: 'The sender who would act as you' }),
    project: z
      .object({ project_id: z.uuid(), name: z.string() })
      .openapi({ description: 'The project in which they wrote' }),
  })
  .openapi('ChannelLinkPreview')
