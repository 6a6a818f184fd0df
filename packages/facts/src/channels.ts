/** The chats and mail from which people use agents: Slack, Matrix and mail. */
export const channelPlatforms = ['chat_a', 'chat_b', 'email'] as const
export type ChannelPlatform = (typeof channelPlatforms)[number]

export const channelStatuses = ['pending', 'connected', 'degraded', 'disconnected'] as const
export type ChannelStatus = (typeof channelStatuses)[number]

/** The ways on which messages arrive: the first two of Slack, then Matrix, and mail by a border server or a mailbox. */
export const channelTransports = ['events', 'socket', 'sync', 'lmtp', 'imap'] as const
export type ChannelTransport = (typeof channelTransports)[number]

/** The two of Slack, one of which is chosen when it is connected. */
export const chosenTransports = ['events', 'socket'] as const satisfies readonly ChannelTransport[]
export type ChosenTransport = (typeof chosenTransports)[number]

/** The rights of others than the one who began a thread: none, with the leave of that person, or their own. */
export const channelPolicies = ['owner_only', 'owner_approval', 'project_open'] as const
export type ChannelPolicy = (typeof channelPolicies)[number]

/** The messages of a bound thread that count: all of them, or those that name the bot. */
export const threadReplies = ['all', 'mention'] as const
export type ThreadReplies = (typeof threadReplies)[number]

export const channelDeliveryKinds = ['message', 'action', 'deleted', 'membership'] as const
export type ChannelDeliveryKind = (typeof channelDeliveryKinds)[number]

export const channelVerdicts = [
  'pending',
  'accepted',
  'held',
  'asked',
  'ignored',
  'refused',
  'failed',
] as const
export type ChannelVerdict = (typeof channelVerdicts)[number]

export const channelMessageKinds = ['progress', 'answer', 'card', 'notice', 'file', 'link'] as const
export type ChannelMessageKind = (typeof channelMessageKinds)[number]

export const channelMessageStates = ['pending', 'sending', 'sent', 'failed', 'cancelled'] as const
export type ChannelMessageState = (typeof channelMessageStates)[number]
