import { MessagesSquare } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  {
    section: 'project',
    label: 'Sessions',
    icon: MessagesSquare,
    order: 10,
    to: '/projects/$project_id/sessions',
    counts: ['question', 'permission', 'session_failed'],
  },
]
