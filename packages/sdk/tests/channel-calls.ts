import type { Client } from '../src/index.ts'

/** A call of each operation on channels, as in `operations.test.ts`. */
export const channelCalls: Readonly<Record<string, (client: Client) => unknown>> = {
  listChannels: ({ projects }) => projects.channels.list('project_id'),
  connectChannel: ({ projects }) =>
    projects.channels.connect('project_id', { platform: 'chat_a', credentials: { bot_token: 't' } }),
  getChannel: ({ projects }) => projects.channels.get('project_id', 'slug'),
  updateChannel: ({ projects }) => projects.channels.update('project_id', 'slug', { agent: null }),
  disconnectChannel: ({ projects }) => projects.channels.disconnect('project_id', 'slug'),
  testChannel: ({ projects }) => projects.channels.test('project_id', 'slug'),
  listChannelThreads: ({ projects }) => projects.channels.threads('project_id', 'slug'),
  listChannelDeliveries: ({ projects }) =>
    projects.channels.deliveries('project_id', 'slug', { verdict: 'failed' }),
  decideChannelDelivery: ({ projects }) =>
    projects.channels.decide('project_id', 'slug', 'delivery_id', { decision: 'allow' }),
  replayChannelDelivery: ({ projects }) => projects.channels.replay('project_id', 'slug', 'delivery_id'),
  listChannelMessages: ({ projects }) => projects.channels.messages('project_id', 'slug', { state: 'sent' }),
  sendChannelMessage: ({ projects }) =>
    projects.channels.send('project_id', 'slug', { conversation: 'c', text: 't' }),
  listLinksOfChannel: ({ projects }) => projects.channels.links('project_id', 'slug'),
  removeLinkOfChannel: ({ projects }) => projects.channels.removeLink('project_id', 'slug', 'link_id'),
  previewChannelLink: (c) => c.channelLinks.preview('token'),
  linkChannelSender: (c) => c.channelLinks.link('token'),
  listChannelLinks: (c) => c.channelLinks.list(),
  unlinkChannelSender: (c) => c.channelLinks.unlink('link_id'),
}
