import { ChartColumn } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  {
    section: 'project',
    label: 'Models',
    icon: ChartColumn,
    order: 65,
    to: '/projects/$project_id/models',
    counts: ['budget_block'],
  },
]
