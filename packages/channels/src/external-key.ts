import type { InboundMessage } from '@svc/channel'
import type { BaseContext } from '@svc/context'
import type { ChannelRow } from '@svc/db/channels'
import { threadToken, tokenHashOf } from './mail/tokens.ts'

type Keys = Pick<BaseContext, 'vault'>

/** The thread that a message stands in or begins, as its platform knows it; of mail by the token of its address. */
export function externalKey(
  ctx: Keys,
  channel: Pick<ChannelRow, 'channel_id' | 'sealed_data_key' | 'platform' | 'identity'>,
  { conversation, root }: Pick<InboundMessage, 'conversation' | 'root'>,
): string {
  switch (channel.platform) {
    case 'chat_a':
      return `${channel.identity?.tenant}/${conversation}/${root}`
    case 'chat_b':
      return `${conversation}/${root}`
    case 'email':
      return `${conversation}/${tokenHashOf(threadToken(ctx, channel, root))}`
  }
}
