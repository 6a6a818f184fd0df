import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [
  { label: 'Files', to: '/projects/$project_id/files/', keys: 'g f' },
]
