import type { UserPrincipal } from '@svc/access'
import type { Context } from '@svc/context'
import { channelLinks, type ChannelLinkRow, type ChannelRow } from '@svc/db/channels'
import type { ChannelWorkerContext } from '../context.ts'

/**
 * The context of a linked person: their roles are looked up by each verb, and a link counts as the sign-in that made it, by
 * the rules that their accounts have now.
 */
export async function contextOf(
  ctx: ChannelWorkerContext,
  { slug }: Pick<ChannelRow, 'slug'>,
  link: ChannelLinkRow,
): Promise<Context> {
  const { mfa_accounts, sso_accounts } = await channelLinks.missedRules(ctx.db, link)
  const { user_id, link_id, mfa } = link
  const principal: UserPrincipal = {
    ...{ type: 'user', user_id, token_id: link_id, channel: slug },
    sign_in: { sign_in_id: link_id, mfa, mfa_needed_by: mfa_accounts, sso_needed_by: sso_accounts },
  }
  return { ...ctx, principal }
}

/** The link of a sender; undefined where they stand for no person yet. */
export async function linkOf(
  ctx: Pick<ChannelWorkerContext, 'db' | 'now'>,
  { account_id, platform }: Pick<ChannelRow, 'account_id' | 'platform'>,
  sender: { readonly id: string; readonly tenant: string },
): Promise<ChannelLinkRow | undefined> {
  const { id: external_user, tenant } = sender
  const link = await channelLinks.find(ctx.db, { account_id, platform, tenant, external_user })
  if (link !== undefined) await channelLinks.touch(ctx.db, link, ctx.now())
  return link
}
