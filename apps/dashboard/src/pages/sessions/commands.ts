import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [
  { label: 'Sessions', to: '/projects/$project_id/sessions', keys: 'g s' },
  { label: 'New session', to: '/projects/$project_id/sessions/new', keys: 'g n' },
]
