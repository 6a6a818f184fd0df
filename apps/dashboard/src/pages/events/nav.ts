import { Webhook } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  {
    section: 'project',
    label: 'Events',
    icon: Webhook,
    order: 68,
    to: '/projects/$project_id/events',
    counts: ['notice'],
  },
]
