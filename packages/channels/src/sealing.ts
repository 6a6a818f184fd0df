import type { BaseContext } from '@svc/context'
import type { ChannelRow } from '@svc/db/channels'
import { channelPlace } from '@svc/services'
import type { Connected } from './context.ts'

type Sealed = Pick<ChannelRow, 'channel_id' | 'sealed_data_key'>
type Keys = Pick<BaseContext, 'vault'>

/** Secrets of a channel, each sealed for its place with the channel's own key. */
export function sealFor(
  { vault }: Keys,
  { channel_id, sealed_data_key }: Sealed,
  name: string,
  text: string,
) {
  const key = vault.openDataKey(sealed_data_key, channelPlace(channel_id))
  return vault.seal(key, [channel_id, name], text)
}

export function openFor(
  { vault }: Keys,
  { channel_id, sealed_data_key }: Sealed,
  name: string,
  sealed: string,
) {
  const key = vault.openDataKey(sealed_data_key, channelPlace(channel_id))
  return vault.open(key, [channel_id, name], sealed)
}

export const credentialsName = 'credentials'

/** The credentials of a channel, with what else leads to its platform; null once it is disconnected. */
export function connectedOf(ctx: Keys, row: ChannelRow): Connected | null {
  const { sealed_credentials, settings, identity, name } = row
  if (sealed_credentials === null) return null
  const credentials = JSON.parse(openFor(ctx, row, credentialsName, sealed_credentials)) as Readonly<
    Record<string, unknown>
  >
  return { credentials, settings, identity, name }
}
