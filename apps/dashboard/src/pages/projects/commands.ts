import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [
  { label: 'Projects', to: '/projects', keys: 'g p' },
  { label: 'New project', to: '/projects/new' },
]
