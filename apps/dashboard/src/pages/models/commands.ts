import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [
  { label: 'Models, spend and budgets', to: '/projects/$project_id/models' },
]
