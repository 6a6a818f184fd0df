import { Plug } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  {
    section: 'project',
    label: 'Connectors',
    icon: Plug,
    order: 65,
    to: '/projects/$project_id/connectors',
    counts: ['approval', 'unknown_call', 'connection'],
  },
]
