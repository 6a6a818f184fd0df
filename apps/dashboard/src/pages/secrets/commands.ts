import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [{ label: 'Secrets', to: '/projects/$project_id/secrets' }]
