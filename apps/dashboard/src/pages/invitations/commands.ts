import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [{ label: 'Accept an invitation', to: '/invitations' }]
