import type { BaseContext } from '@svc/context'
import { tokenHash } from '@svc/context'
import type { ChannelRow } from '@svc/db/channels'
import { channelPlace } from '@svc/services'

/**
 * The token by which answers find a thread, 128 bits in hex. It follows from the first mail of the thread by the key of the
 * channel, so that no row has it and each mail of the thread has the same.
 */
export function threadToken(
  { vault }: Pick<BaseContext, 'vault'>,
  { channel_id, sealed_data_key }: Pick<ChannelRow, 'channel_id' | 'sealed_data_key'>,
  root: string,
): string {
  const key = vault.openDataKey(sealed_data_key, channelPlace(channel_id))
  return vault.code(key, [channel_id, 'mail-thread', root]).subarray(0, 16).toString('hex')
}

/** The hash under which rows have a token. */
export const tokenHashOf = (token: string): string => tokenHash(token).toString('hex')
