import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { ChannelPlatforms } from '@svc/channels'
import { jsonb } from '@svc/db'
import { channelDeliveries, channelLinks, channels, channelThreads } from '@svc/db/channels'
import type { ApiParts } from '../../../src/index.ts'

const bot = { tenant: 'T1', tenant_name: 'Acme', user_id: 'U0', name: 'svc' }
const unused = async () => {
  throw new Error('No message is sent here')
}

export const slackCredentials = () => ({
  bot_token: `xoxb-${randomBytes(24).toString('hex')}`,
  signing_secret: randomBytes(24).toString('hex'),
})

/** A platform that lets every bot in, and over which nothing is said. */
export const stubChannels: ChannelPlatforms = {
  open: (platform) => ({
    platform,
    identify: async () => bot,
    check: async () => [{ name: 'credentials', ok: true, message: 'The bot is svc in Acme' }],
    ...{ post: unused, begin: unused, edit: unused, whisper: unused, direct: unused, history: unused },
    ...{ download: unused, nameOf: unused, postFile: unused },
  }),
  stream: () => null,
}

interface Place {
  readonly account_id: string
  readonly project_id: string
  readonly user_id: string
}

/** A channel of its own slug, with a delivery that failed. */
export async function makeChannel(
  { db, vault }: Pick<ApiParts, 'db' | 'vault'>,
  {
    account_id,
    project_id,
    user_id,
    slug,
    delivery_id,
  }: Place & { readonly slug: string; readonly delivery_id: string },
): Promise<string> {
  const [channel_id, now] = [randomUUID(), new Date()]
  const { sealed } = vault.createDataKey(['channel', channel_id])
  const key = vault.openDataKey(sealed, ['channel', channel_id])
  const credentials = JSON.stringify(slackCredentials())
  await channels.connect(db, {
    ...{ channel_id, account_id, project_id, slug, name: 'Slack', platform: 'chat_a', status: 'connected' },
    ...{ transport: 'events', agent: null, policy: 'owner_approval', thread_replies: 'all' },
    ...{ conversations: jsonb({}), settings: jsonb({}), sealed_data_key: sealed, identity: jsonb(bot) },
    sealed_credentials: vault.seal(key, [channel_id, 'credentials'], credentials),
    ...{ cursor: null, held_until: null, blocked_until: null, last_error: null, last_received_at: null },
    ...{ disconnected_reason: null, created_by: user_id, created_at: now, updated_at: now },
  })
  const body = { kind: 'deleted', conversation: 'C1', ref: '1.1' } as const
  await channelDeliveries.insert(db, [
    {
      ...{ delivery_id, channel_id, account_id, project_id, platform_id: delivery_id, message_key: null },
      ...{ received_at: now, kind: 'deleted', sender: '', thread_key: 'C1', body: jsonb(body) },
      ...{ verdict: 'failed', reason: 'internal_error', thread_id: null, prompt_id: null, link_id: null },
      ...{ retry_at: null, judged_at: now },
    },
  ])
  return channel_id
}

/** A sender of the workspace who stands for the person. */
export async function makeLink(
  { db }: Pick<ApiParts, 'db'>,
  { account_id, user_id }: Omit<Place, 'project_id'>,
): Promise<string> {
  const { link_id } = await channelLinks.link(db, {
    ...{ link_id: randomUUID(), account_id, platform: 'chat_a', tenant: bot.tenant, user_id },
    ...{ external_user: `U${randomBytes(6).toString('hex')}`, display: 'Ada', mfa: false },
    ...{ sso_account_id: null, created_at: new Date(), revoked_at: null, last_used_at: null },
  })
  return link_id
}

/** Makes the delivery of a channel one that waits for the person, who began its thread. */
export async function askOwner(
  parts: Pick<ApiParts, 'db'>,
  {
    channel_id,
    delivery_id,
    ...place
  }: Place & { readonly channel_id: string; readonly delivery_id: string },
): Promise<void> {
  const { db } = parts
  const { account_id, project_id } = place
  const [owner_link_id, now] = [await makeLink(parts, place), new Date()]
  const { thread_id } = await channelThreads.open(db, {
    ...{ thread_id: randomUUID(), channel_id, account_id, project_id, conversation: 'C1', root: '1.1' },
    ...{ external_key: `T1/C1/${delivery_id}`, session_id: null, planned_session_id: randomUUID() },
    ...{ owner_link_id, agent: null, policy: 'owner_approval', mail_token_hash: null },
    ...{ progress_message_id: null, created_at: now },
  })
  await db
    .updateTable('channel_deliveries')
    .set({ verdict: 'asked', reason: 'owner_asked', thread_id, judged_at: now })
    .where('delivery_id', '=', delivery_id)
    .execute()
}

/** The token of a link that a new sender was offered. */
export async function offerLink({ db }: Pick<ApiParts, 'db'>, channel_id: string): Promise<string> {
  const [token, created_at] = [`svc_chl_${randomBytes(24).toString('base64url')}`, new Date()]
  await channelLinks.offer(db, {
    ...{ token_hash: createHash('sha256').update(token).digest(), channel_id, tenant: bot.tenant },
    ...{ external_user: `U${randomBytes(6).toString('hex')}`, display: 'Ada', delivery_id: null, created_at },
    ...{ expires_at: new Date(created_at.getTime() + 600_000), used_at: null },
  })
  return token
}
