export * as channelDeliveries from './deliveries.ts'
export * as channelPresses from './presses.ts'
export * as channelFiles from './files.ts'
export * as channelLinks from './links.ts'
export * as channelMails from './mails.ts'
export * as channelMessages from './messages.ts'
export * as channelOutbox from './outbox.ts'
export * as channels from './channels.ts'
export * as channelThreads from './threads.ts'
export * as channelSubjects from './subjects.ts'
export type { ChannelChanges, ChannelKey, ChannelOutlet } from './channels.ts'
export type { NewDelivery as NewChannelDelivery } from './deliveries.ts'
export type { ChannelFile, FileOfPrompt, NewFile as NewChannelFile, OutgoingFileRow } from './files.ts'
export type {
  ChannelDeliveryRow,
  ChannelFileRow,
  ChannelLinkRow,
  ChannelLinkTokenRow,
  ChannelMessageRow,
  ChannelRow,
  ChannelThreadRow,
  ConversationSettings,
  MessageSubject,
} from './channels.table.ts'
