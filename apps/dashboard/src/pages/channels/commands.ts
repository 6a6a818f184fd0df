import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [
  { label: 'Channels', to: '/projects/$project_id/channels' },
  { label: 'Connect Slack', to: '/projects/$project_id/channels/new' },
  { label: 'Connect Matrix', to: '/projects/$project_id/channels/new?platform=chat_b' },
  { label: 'Connect mail', to: '/projects/$project_id/channels/new?platform=email' },
]
