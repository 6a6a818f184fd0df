import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [{ label: 'Commits', to: '/projects/$project_id/commits' }]
