import { randomUUID } from 'node:crypto'
import { askOwner, makeChannel, makeLink, offerLink } from './a-channel.ts'
import { ask, type Prepare, some, type Stage } from './prepare.ts'

const placeOf = ({ platform, objects }: Stage) => ({
  account_id: objects['account_id'] ?? '',
  project_id: objects['project_id'] ?? '',
  user_id: platform.owner.user_id,
})

const channel: Prepare = async (stage) => {
  const [slug, delivery_id] = [some(), randomUUID()]
  await makeChannel(stage.platform.parts, { ...placeOf(stage), slug, delivery_id })
  return { ids: { slug, delivery_id } }
}

const link: Prepare = async (stage) => {
  const { ids } = await channel(stage)
  return { ids: { ...ids, link_id: await makeLink(stage.platform.parts, placeOf(stage)) } }
}

/** The rows that operations on channels and links need. */
export const channelMutations: Readonly<Record<string, Prepare>> = {
  connectChannel: async (stage) => ({
    ids: {
      project_id: (await ask(stage, 'POST', '/v1/projects/provision', { name: some() })).pick('project_id'),
    },
    body: { slug: undefined, agent: undefined, conversations: undefined },
  }),
  updateChannel: async (stage) => ({
    ...(await channel(stage)),
    body: { agent: undefined, conversations: undefined, credentials: undefined },
  }),
  disconnectChannel: channel,
  replayChannelDelivery: channel,
  decideChannelDelivery: async (stage) => {
    const [slug, delivery_id] = [some(), randomUUID()]
    const channel_id = await makeChannel(stage.platform.parts, { ...placeOf(stage), slug, delivery_id })
    await askOwner(stage.platform.parts, { ...placeOf(stage), channel_id, delivery_id })
    return { ids: { slug, delivery_id }, body: { decision: 'allow' } }
  },
  sendChannelMessage: async (stage) => {
    const made = await channel(stage)
    const { db } = stage.platform.parts
    const conversations = JSON.stringify({ C1: {} })
    await db
      .updateTable('project_channels')
      .set({ conversations })
      .where('slug', '=', made.ids?.['slug'] ?? '')
      .execute()
    return { ...made, body: { conversation: 'C1', thread_id: undefined, idempotency_key: undefined } }
  },
  linkChannelSender: async (stage) => {
    const [slug, delivery_id] = [some(), randomUUID()]
    const channel_id = await makeChannel(stage.platform.parts, { ...placeOf(stage), slug, delivery_id })
    return { body: { token: await offerLink(stage.platform.parts, channel_id) } }
  },
  ...{ unlinkChannelSender: link, removeLinkOfChannel: link },
}
