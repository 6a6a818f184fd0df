import { requireProject, requireWritesOpen, recordAudit } from '@svc/context'
import { jsonb } from '@svc/db'
import { type ChannelChanges, channels } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import type { ChannelContext } from '../context.ts'
import { credentialsName, sealFor } from '../sealing.ts'
import { type ChannelWishes, requireAgents, transportOf } from './connect.ts'
import { type ChannelInput, channelTarget, requireChannel } from './find.ts'
import { presentChannel } from './present.ts'
import { tryCredentials } from './try-credentials.ts'

export interface UpdateChannelInput extends ChannelInput, ChannelWishes {
  readonly credentials?: Readonly<Record<string, unknown>> | undefined
}

/** Changes what is given. New credentials are tried first, and must be of the same bot's place. */
export async function updateChannel(ctx: ChannelContext, input: UpdateChannelInput) {
  const { project, row } = await requireChannel(ctx, input, 'project.connector.write')
  if (input.credentials !== undefined)
    await requireProject(ctx, input.project_id, 'project.connector.connections.manage')
  requireWritesOpen(ctx)
  await requireAgents(ctx, project, input)
  const { name, agent, policy, thread_replies, conversations } = input
  const changes: ChannelChanges = {
    ...(name === undefined ? {} : { name }),
    ...(agent === undefined ? {} : { agent }),
    ...(policy === undefined ? {} : { policy }),
    ...(thread_replies === undefined ? {} : { thread_replies }),
    ...(conversations === undefined ? {} : { conversations: jsonb(conversations) }),
    ...(await proven(ctx, row, input.credentials)),
  }
  const fields = Object.keys(input).filter((field) => field !== 'project_id' && field !== 'slug')
  const updated = await ctx.db.transaction().execute(async (tx) => {
    const changed = await channels.update(tx, row.channel_id, changes, ctx.now())
    await recordAudit(ctx, tx, {
      ...{ account_id: row.account_id, project_id: row.project_id, action: 'updateChannel' },
      ...{ target: channelTarget(row), details: { fields: fields.sort() } },
    })
    return changed
  })
  return presentChannel(ctx, updated)
}

async function proven(
  ctx: ChannelContext,
  row: Awaited<ReturnType<typeof requireChannel>>['row'],
  credentials: UpdateChannelInput['credentials'],
): Promise<ChannelChanges> {
  if (credentials === undefined) return {}
  if (row.status === 'disconnected')
    throw new ServiceError('conflict', `${row.slug} is disconnected; connect it anew`)
  const transport = transportOf(row.platform, credentials, row.settings)
  const identity = await tryCredentials(ctx, row.platform, { credentials, settings: row.settings })
  if (row.identity !== null && identity.tenant !== row.identity.tenant)
    throw new ServiceError(
      'conflict',
      `These credentials are of ${identity.tenant_name}, and the threads of ${row.slug} are in ${row.identity.tenant_name}; connect another channel`,
    )
  const sealed_credentials = sealFor(ctx, row, credentialsName, JSON.stringify(credentials))
  return { sealed_credentials, transport, identity: jsonb(identity) }
}
