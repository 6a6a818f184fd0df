import { AlarmClock } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  {
    section: 'project',
    label: 'Triggers',
    icon: AlarmClock,
    order: 30,
    to: '/projects/$project_id/triggers',
    counts: ['trigger_failure'],
  },
]
