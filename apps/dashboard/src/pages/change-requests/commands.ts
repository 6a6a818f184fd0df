import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [
  { label: 'Change requests', to: '/projects/$project_id/change-requests', keys: 'g c' },
]
