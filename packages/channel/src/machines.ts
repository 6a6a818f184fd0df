import { type EventOf, machine, type StateOf } from '@svc/machine'

/**
 * A message or a press that came in. hold: its sender is linked to no person yet. release: they are now, or the owner of the
 * thread allowed it, or a person replays it. ask: the owner of the thread is asked.
 */
export const deliveryMachine = machine({
  pending: {
    accept: 'accepted',
    hold: 'held',
    ask: 'asked',
    ignore: 'ignored',
    refuse: 'refused',
    fail: 'failed',
  },
  held: { release: 'pending', refuse: 'refused' },
  asked: { release: 'pending', refuse: 'refused' },
  failed: { release: 'pending' },
  accepted: {},
  ignored: {},
  refused: {},
})

export type DeliveryVerdict = StateOf<typeof deliveryMachine>
export type DeliveryEvent = EventOf<typeof deliveryMachine>
export const deliveryVerdicts = deliveryMachine.states

/**
 * A message of a thread on its way out. retry: it was not taken, or that is not known. send: the platform has it. edit: what it
 * says has changed since.
 */
export const messageMachine = machine({
  pending: { begin: 'sending', cancel: 'cancelled' },
  sending: { retry: 'pending', send: 'sent', fail: 'failed' },
  sent: { edit: 'pending' },
  failed: { edit: 'pending' },
  cancelled: {},
})

export type MessageState = StateOf<typeof messageMachine>
export type MessageEvent = EventOf<typeof messageMachine>
export const messageStates = messageMachine.states

/** One that is disconnected has lost its credentials; it is connected again with new ones. */
export const channelMachine = machine({
  pending: { connect: 'connected', disconnect: 'disconnected' },
  connected: { degrade: 'degraded', disconnect: 'disconnected' },
  degraded: { connect: 'connected', disconnect: 'disconnected' },
  disconnected: { connect: 'connected' },
})

export type ChannelStatus = StateOf<typeof channelMachine>
export const channelStatuses = channelMachine.states

export const channelPlatforms = ['chat_a', 'chat_b', 'email'] as const
export type ChannelPlatform = (typeof channelPlatforms)[number]

export const channelTransports = ['events', 'socket', 'sync', 'lmtp', 'imap'] as const
export type ChannelTransport = (typeof channelTransports)[number]

/** The two of Slack, one of which is chosen when it is connected. */
export const chosenTransports = ['events', 'socket'] as const satisfies readonly ChannelTransport[]
export type ChosenTransport = (typeof chosenTransports)[number]

/** The answers of who began a thread to whether another may speak to its agent; `always` for all that they write in it. */
export const writerDecisions = ['allow', 'always', 'deny'] as const
export type WriterDecision = (typeof writerDecisions)[number]

/** The rights of others than the one who began a thread: none, with the leave of that person, or their own. */
export const channelPolicies = ['owner_only', 'owner_approval', 'project_open'] as const
export type ChannelPolicy = (typeof channelPolicies)[number]

/** The messages of a bound thread that count: all of them, or those that name the bot. */
export const threadReplies = ['all', 'mention'] as const
export type ThreadReplies = (typeof threadReplies)[number]

export const deliveryKinds = ['message', 'action', 'deleted', 'membership'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

export const messageKinds = ['progress', 'answer', 'card', 'notice', 'file', 'link'] as const
export type MessageKind = (typeof messageKinds)[number]

export const refusalReasons = [
  'credential_refused',
  'unreachable',
  'private_address',
  'missing_scope',
  'no_mail_route',
] as const
/** The reason for which a channel cannot be used with what was given. */
export type RefusalReason = (typeof refusalReasons)[number]
