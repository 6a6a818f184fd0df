import {
  channelLimits,
  type ChannelPlatform,
  type ChannelPolicy,
  type ChannelTransport,
  type ThreadReplies,
} from '@svc/channel'
import { recordAudit, requireActor, requireProject, requireWritesOpen } from '@svc/context'
import { jsonb } from '@svc/db'
import { channels, type ConversationSettings } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import { channelPlace, declaredAt, resolveAgent } from '@svc/services'
import type { ChannelContext } from '../context.ts'
import { credentialsName, sealFor } from '../sealing.ts'
import { channelTarget } from './find.ts'
import { presentChannel } from './present.ts'
import { mailSettings } from '../mail/settings.ts'
import { tryCredentials } from './try-credentials.ts'

export interface ChannelWishes {
  readonly name?: string | undefined
  readonly agent?: string | null | undefined
  readonly policy?: ChannelPolicy | undefined
  readonly thread_replies?: ThreadReplies | undefined
  readonly conversations?: Readonly<Record<string, ConversationSettings>> | undefined
}

export interface ConnectChannelInput extends ChannelWishes {
  readonly project_id: string
  readonly platform: ChannelPlatform
  readonly slug?: string | undefined
  readonly credentials: Readonly<Record<string, unknown>>
  readonly settings?: Readonly<Record<string, unknown>> | undefined
}

const reserved = { chat_a: 'svc_chat_a', chat_b: 'svc_chat_b', email: 'svc_email' } as const
const names = { chat_a: 'Slack', chat_b: 'Matrix', email: 'Mail' } as const

/** Connects a place where people write. What it was given is tried before anything is kept. */
export async function connectChannel(ctx: ChannelContext, input: ConnectChannelInput) {
  const { project_id, platform, credentials } = input
  const project = await requireProject(ctx, project_id, 'project.connector.connections.manage')
  requireWritesOpen(ctx)
  const slug = input.slug ?? reserved[platform]
  await requireDeclared(ctx, project, { slug, platform })
  await requireAgents(ctx, project, input)
  const given = input.settings ?? {}
  const transport = transportOf(platform, credentials, given)
  const settings = transport === 'lmtp' ? await mailSettings(ctx, project, { slug, settings: given }) : given
  const name = input.name ?? names[platform]
  const connected = { credentials, settings, name }
  const identity = await tryCredentials(ctx, platform, connected)
  const { account_id } = project
  const [channel_id, now] = [ctx.newId(), ctx.now()]
  const row = await ctx.db.transaction().execute(async (tx) => {
    const earlier = await channels.find(tx, { project_id, slug })
    if (earlier !== undefined && (earlier.status !== 'disconnected' || earlier.platform !== platform))
      throw slugTaken(slug)
    if ((await channels.count(tx, account_id)) >= channelLimits.channelsOfAccount)
      throw new ServiceError(
        'conflict',
        `The account has ${channelLimits.channelsOfAccount} channels; disconnect one first`,
      )
    // One that comes back keeps its id, and so its threads.
    const id = earlier?.channel_id ?? channel_id
    // So are the tokens of its threads, which follow from its key.
    const sealed_data_key = earlier?.sealed_data_key ?? ctx.vault.createDataKey(channelPlace(id)).sealed
    const sealed = { channel_id: id, sealed_data_key }
    const made = await channels.connect(tx, {
      ...{ ...sealed, account_id, project_id, slug, name, platform, transport },
      status: 'connected',
      agent: input.agent ?? null,
      policy: input.policy ?? 'owner_approval',
      thread_replies: input.thread_replies ?? 'all',
      conversations: jsonb(input.conversations ?? {}),
      settings: jsonb(settings),
      sealed_credentials: sealFor(ctx, sealed, credentialsName, JSON.stringify(credentials)),
      identity: jsonb(identity),
      ...{ cursor: null, held_until: null, blocked_until: null, last_error: null, last_received_at: null },
      ...{ disconnected_reason: null, created_by: requireActor(ctx), created_at: now, updated_at: now },
    })
    if (made === undefined) throw slugTaken(slug)
    await recordAudit(ctx, tx, {
      ...{ account_id, project_id, action: 'connectChannel', target: channelTarget({ project_id, slug }) },
      details: { platform, transport, tenant: identity.tenant, bot: identity.user_id },
    })
    return made
  })
  return presentChannel(ctx, row)
}

const slugTaken = (slug: string) =>
  new ServiceError('conflict', `A channel is connected as ${slug}; disconnect it first, or give another slug`)

/** Slack pushes over a socket where it can; else it calls the API, which then needs the secret of its signatures. */
export function transportOf(
  platform: ChannelPlatform,
  credentials: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>>,
): ChannelTransport {
  if (platform === 'chat_b') return 'sync'
  if (platform === 'email') return credentials['imap'] === undefined ? 'lmtp' : 'imap'
  const has = (name: string) => typeof credentials[name] === 'string'
  const transport =
    settings['transport'] ?? (has('app_token') && !has('signing_secret') ? 'socket' : 'events')
  const [needed, why] =
    transport === 'socket'
      ? (['app_token', 'the app-level token that begins with xapp-'] as const)
      : (['signing_secret', 'the signing secret of the app'] as const)
  if (!has(needed))
    throw new ServiceError('invalid_request', `credentials.${needed} is missing: ${why}`, {
      issues: [{ path: `credentials.${needed}`, message: `must be ${why}` }],
    })
  return transport === 'socket' ? 'socket' : 'events'
}

type Project = Awaited<ReturnType<typeof requireProject>>

/** A slug that is no reserved one must be declared on the default branch, as a channel of this platform. */
async function requireDeclared(
  ctx: ChannelContext,
  project: Project,
  { slug, platform }: { readonly slug: string; readonly platform: ChannelPlatform },
): Promise<void> {
  if (slug === reserved[platform]) return
  const { manifest } = await declaredAt(ctx, project)
  const found = manifest?.connectors.find((connector) => connector.slug === slug)
  if (found?.provider === 'channel' && found.platform === platform) return
  throw new ServiceError(
    'channel_not_declared',
    `svc.yaml on ${project.default_branch} declares no connector ${slug} with provider channel and platform ${platform}; declare it there, or leave the slug out for ${reserved[platform]}`,
  )
}

/** Refuses an agent that the manifest does not declare. */
export async function requireAgents(
  ctx: ChannelContext,
  project: Project,
  { agent, conversations = {} }: ChannelWishes,
): Promise<void> {
  const asked = [agent, ...Object.values(conversations).map((one) => one.agent)].filter(
    (name) => name != null,
  )
  if (asked.length === 0) return
  const { manifest, issues } = await declaredAt(ctx, project)
  for (const name of asked) resolveAgent(manifest, name, issues)
}
