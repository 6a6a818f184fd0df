import type { ChannelTables } from '../channels/channels.table.ts'
import type { ServiceGrants } from './services.ts'

/** Rights on the places where people write: the API connects them and takes what comes in, the channel-worker works it. */
export const channelGrants: Readonly<Record<keyof ChannelTables, ServiceGrants>> = {
  project_channels: { api: 'raw', merge: 'r(channel_id,sealed_data_key)', executor: 'o', channel: 'rw' },
  channel_links: { api: 'raw', channel: 'rw' },
  channel_threads: { api: 'rw(next_position)', executor: 'rw(next_position)', channel: 'raw' },
  channel_thread_writers: { api: 'ra', channel: 'ra' },
  channel_deliveries: { api: 'raw', channel: 'rawd' },
  channel_link_tokens: { api: 'rw', channel: 'rad' },
  channel_messages: { api: 'raw', executor: 'ra', channel: 'rawd' },
  // The sandbox-worker puts those of a prompt into its sandbox.
  channel_files: { api: 'ra', sandbox: 'r', channel: 'rawd' },
}
