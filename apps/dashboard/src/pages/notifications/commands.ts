import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [
  { label: 'Notifications', to: '/notifications', keys: 'g b' },
  { label: 'Notification settings', to: '/notifications/settings' },
]
