import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [{ label: 'Settings', to: '/projects/$project_id/settings' }]
