import { channelPolicies, type ChannelPolicy, type ThreadReplies } from '@svc/channel/states'
import type { Channel, UpdateChannelInput } from '@svc/sdk'

/** A conversation with settings of its own; an empty field is as the channel has it. */
export interface ConversationFields {
  readonly id: string
  readonly name: string
  readonly agent: string
  readonly policy: ChannelPolicy | ''
}

export const noConversation: ConversationFields = { id: '', name: '', agent: '', policy: '' }

/** The form as it stands. */
export interface SettingsFields {
  readonly name: string
  readonly agent: string
  readonly policy: ChannelPolicy
  readonly thread_replies: ThreadReplies
  readonly conversations: readonly ConversationFields[]
}

export function fieldsOf({ name, agent, policy, thread_replies, conversations }: Channel): SettingsFields {
  return {
    name,
    agent: agent ?? '',
    policy,
    thread_replies,
    conversations: Object.entries(conversations).map(([id, own]) => ({
      id,
      name: own.name ?? '',
      agent: own.agent ?? '',
      policy: channelPolicies.find((one) => one === own.policy) ?? '',
    })),
  }
}

/** The reason why the conversations cannot be saved as they are; null where they can. */
export function conversationsProblem(conversations: readonly ConversationFields[]): string | null {
  const ids = conversations.map(({ id }) => id.trim())
  if (ids.includes('')) return 'Each conversation needs its id.'
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  return twice === undefined ? null : `The conversation ${twice} stands there twice.`
}

/** The difference to the channel; null where nothing differs. Conversations are replaced whole. */
export function settingsInput(channel: Channel, after: SettingsFields): UpdateChannelInput | null {
  const before = fieldsOf(channel)
  const { policy, thread_replies } = after
  const name = after.name.trim()
  const input: UpdateChannelInput = {
    ...(name !== before.name && { name }),
    ...(after.agent !== before.agent && { agent: after.agent === '' ? null : after.agent }),
    ...(policy !== before.policy && { policy }),
    ...(thread_replies !== before.thread_replies && { thread_replies }),
    ...(JSON.stringify(after.conversations) !== JSON.stringify(before.conversations) && {
      conversations: Object.fromEntries(after.conversations.map((one) => [one.id.trim(), ownOf(one)])),
    }),
  }
  return Object.keys(input).length === 0 ? null : input
}

function ownOf({ name, agent, policy }: ConversationFields) {
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(agent !== '' && { agent }),
    ...(policy !== '' && { policy }),
  }
}
