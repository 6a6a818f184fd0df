import { decodeCursor, encodeCursor, recordAudit, requireUser, requireWritesOpen } from '@svc/context'
import { channelLinks } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import { type ChannelInput, channelTarget, requireChannel } from '../channel/find.ts'
import type { ChannelContext } from '../context.ts'
import { presentLink } from './present.ts'

type Writing = Pick<ChannelContext, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'maintenance'>

/** The senders that stand for the caller. */
export async function listChannelLinks(ctx: Pick<ChannelContext, 'db' | 'principal' | 'trail'>) {
  const { user_id } = requireUser(ctx)
  return { links: (await channelLinks.ofUser(ctx.db, user_id)).map(presentLink) }
}

/** A sender that stands for the caller does so no more. */
export async function unlinkChannelSender(
  ctx: Writing,
  { link_id }: { readonly link_id: string },
): Promise<void> {
  const { user_id } = requireUser(ctx)
  requireWritesOpen(ctx)
  const link = await channelLinks.findById(ctx.db, link_id)
  if (link?.user_id !== user_id || link.revoked_at !== null) throw noLink()
  await revoke(ctx, link, {
    project_id: null,
    action: 'unlinkChannelSender',
    target: `channel-links/${link_id}`,
  })
}

const Place = z.object({ link_id: z.uuid() })

/** The people who may write in a channel. */
export async function listLinksOfChannel(
  ctx: Pick<ChannelContext, 'db' | 'principal' | 'trail'>,
  input: ChannelInput & { readonly limit: number; readonly cursor?: string | undefined },
) {
  const { row } = await requireChannel(ctx, input, 'project.connector.read')
  const { limit, cursor } = input
  const after = cursor === undefined ? undefined : decodeCursor(Place, cursor).link_id
  const rows = await channelLinks.ofChannel(ctx.db, row, { limit: limit + 1, after })
  const [page, last] = [rows.slice(0, limit), rows[limit - 1]]
  const next_cursor = rows.length > limit && last ? encodeCursor({ link_id: last.link_id }) : null
  return { links: page.map(presentLink), next_cursor }
}

/** A manager ends the link of a person who writes in the channel. */
export async function removeLinkOfChannel(
  ctx: Writing,
  input: ChannelInput & { readonly link_id: string },
): Promise<void> {
  const { row } = await requireChannel(ctx, input, 'project.connector.connections.manage')
  requireWritesOpen(ctx)
  const link = await channelLinks.findById(ctx.db, input.link_id)
  const isOfChannel =
    link?.account_id === row.account_id &&
    link.platform === row.platform &&
    (row.platform === 'email' || link.tenant === row.identity?.tenant)
  if (!link || !isOfChannel || link.revoked_at !== null) throw noLink()
  await revoke(ctx, link, {
    project_id: row.project_id,
    action: 'removeLinkOfChannel',
    target: `${channelTarget(row)}/links/${link.link_id}`,
  })
}

async function revoke(
  ctx: Writing,
  {
    account_id,
    link_id,
    platform,
    tenant,
    external_user: sender,
  }: { readonly link_id: string } & Pick<
    ReturnType<typeof presentLink>,
    'account_id' | 'platform' | 'tenant' | 'external_user'
  >,
  entry: { readonly project_id: string | null; readonly action: string; readonly target: string },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if ((await channelLinks.revoke(tx, link_id, ctx.now())) === undefined) throw noLink()
    await recordAudit(ctx, tx, { account_id, ...entry, details: { platform, tenant, sender } })
  })
}

const noLink = (): ServiceError => new ServiceError('not_found', 'There is no such link; list them')
