import { channelLimits } from '@svc/channel'
import { requireSignInRules, recordAudit, requireUser, requireWritesOpen, tokenHash } from '@svc/context'
import { accounts, projects } from '@svc/db'
import { channelDeliveries, channelLinks, channels } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import type { ChannelContext } from '../context.ts'
import { presentLink } from './present.ts'

type Linking = Pick<ChannelContext, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'maintenance'>

/** The sender whom a link would stand for, as its page shows them. A look uses nothing up. */
export async function previewChannelLink(ctx: Linking, { token }: { readonly token: string }) {
  const { offer, channel, project } = await requireOffer(ctx, token)
  return {
    ...{ platform: channel.platform, tenant: channel.identity?.tenant_name ?? offer.tenant },
    display: offer.display,
    project: { project_id: project.project_id, name: project.name },
  }
}

/** Says that the sender is this person: what they write anywhere in the account's channels is theirs from now on. */
export async function linkChannelSender(ctx: Linking, { token }: { readonly token: string }) {
  const { user_id, offer, channel } = await requireOffer(ctx, token)
  requireWritesOpen(ctx)
  const now = ctx.now()
  const { account_id, platform, project_id } = channel
  const { tenant, external_user, display, token_hash } = offer
  const link = await ctx.db.transaction().execute(async (tx) => {
    if (!(await channelLinks.use(tx, token_hash, now))) throw notFound()
    const { mfa = false } = 'sign_in' in ctx.principal ? (ctx.principal.sign_in ?? {}) : {}
    const sso_account_id = await ssoOf(ctx)
    const made = await channelLinks.link(tx, {
      ...{ link_id: ctx.newId(), account_id, platform, tenant, external_user, display, user_id },
      ...{ mfa, sso_account_id, created_at: now, revoked_at: null, last_used_at: null },
    })
    if (made.user_id !== user_id)
      throw new ServiceError(
        'already_linked',
        'This sender is linked to another person; they or a manager of the project remove that link first',
      )
    await channelLinks.prove(tx, made.link_id, { mfa, sso_account_id })
    const channel_ids = await channels.idsOfAccount(tx, { account_id, platform })
    const since = new Date(now.getTime() - channelLimits.linkMinutes * 60_000)
    await channelDeliveries.releaseHeld(tx, { channel_ids, tenant, external_user }, { since, now })
    await recordAudit(ctx, tx, {
      ...{ account_id, project_id, action: 'linkChannelSender', target: `channel-links/${made.link_id}` },
      details: { platform, tenant, sender: external_user },
    })
    return made
  })
  return presentLink(link)
}

/** The account whose own sign-in the person came by; null for another. */
async function ssoOf({ principal, db }: Linking): Promise<string | null> {
  if (principal.type !== 'user' || principal.sign_in === undefined) return null
  return channelLinks.ssoOfSignIn(db, principal.sign_in.sign_in_id)
}

async function requireOffer(ctx: Linking, token: string) {
  const { user_id } = requireUser(ctx)
  const offer = await channelLinks.offered(ctx.db, tokenHash(token), ctx.now())
  const channel = offer && (await channels.findById(ctx.db, offer.channel_id))
  const project = channel && (await projects.find(ctx.db, channel.project_id))
  if (!offer || !channel || !project) throw notFound()
  // Whether there is such a link is nothing that people of other accounts are told.
  const account = await accounts.findForUser(ctx.db, channel.account_id, user_id)
  const member = await projects.findForUser(ctx.db, channel.project_id, user_id)
  if (!account?.role && !member?.account_role && !member?.member_role) throw notFound()
  requireSignInRules(ctx, channel.account_id)
  return { user_id, offer, channel, project }
}

const notFound = (): ServiceError =>
  new ServiceError(
    'link_not_found',
    'This link was used, or is older than ten minutes; write to the bot again for a new one',
  )
