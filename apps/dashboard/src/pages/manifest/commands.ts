import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [{ label: 'Manifest', to: '/projects/$project_id/manifest' }]
