import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [
  { label: 'Triggers', to: '/projects/$project_id/triggers', keys: 'g t' },
  { label: 'New trigger', to: '/projects/$project_id/triggers/new' },
]
