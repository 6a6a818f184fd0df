export {
  type BotIdentity,
  type ChannelAdapter,
  type ChannelCheck,
  ChannelRefused,
  type ChannelStream,
  type FilePlace,
  MessageDeferred,
  MessageRefused,
  type OutgoingFile,
  RateLimited,
  type ThreadLine,
  type ThreadPlace,
} from './adapter.ts'
export {
  type FileRef,
  Inbound,
  type InboundAction,
  type InboundDeleted,
  type InboundMessage,
  type Received,
  type Sender,
} from './inbound.ts'
export {
  channelMachine,
  channelPlatforms,
  type ChannelPlatform,
  channelPolicies,
  type ChannelPolicy,
  type ChannelStatus,
  channelStatuses,
  type ChannelTransport,
  channelTransports,
  type DeliveryEvent,
  type DeliveryKind,
  deliveryKinds,
  deliveryMachine,
  type DeliveryVerdict,
  deliveryVerdicts,
  type MessageEvent,
  type MessageKind,
  messageKinds,
  messageMachine,
  type MessageState,
  messageStates,
  type RefusalReason,
  refusalReasons,
  type ThreadReplies,
  threadReplies,
  type WriterDecision,
  writerDecisions,
} from './machines.ts'
export { type Button, Outgoing, type OutgoingName } from './outbound.ts'
export {
  askCard,
  type AskCard,
  askReply,
  isReply,
  type AskReply,
  askTitles,
  changeRequestCard,
  type ChangeRequestCard,
  closedCard,
  shortened,
} from './cards.ts'
export { connectionError } from './connection-error.ts'
export { fileNames } from './file-name.ts'
export { channelLimits } from './limits.ts'
export { type DataPart, promptOf, type PromptWords } from './prompt.ts'
export { readAtMost } from './read-at-most.ts'
