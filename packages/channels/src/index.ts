export { connectChannel } from './channel/connect.ts'
export { disconnectChannel } from './channel/disconnect.ts'
export { getChannel, listChannels } from './channel/list.ts'
export { testChannel } from './channel/test.ts'
export { updateChannel } from './channel/update.ts'
export type { ChannelContext, ChannelPlatforms } from './context.ts'
export { linkChannelSender, previewChannelLink } from './links/link.ts'
export {
  listChannelLinks,
  listLinksOfChannel,
  removeLinkOfChannel,
  unlinkChannelSender,
} from './links/list.ts'
export { decideChannelDelivery } from './log/decide.ts'
export { listChannelDeliveries, listChannelMessages, listChannelThreads } from './log/read.ts'
export { replayChannelDelivery } from './log/replay.ts'
export { sendChannelMessage } from './log/send.ts'
export { channelMailEnv, mailRoute } from './mail/env.ts'
export { noChannelPlatforms, openChannelPlatforms } from './platforms.ts'
export { receiveChannelMessage } from './receive.ts'
