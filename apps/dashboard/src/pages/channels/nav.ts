import { Hash } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  {
    section: 'project',
    label: 'Channels',
    icon: Hash,
    order: 67,
    to: '/projects/$project_id/channels',
  },
]
