import { FileCog } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  {
    section: 'project',
    label: 'Manifest',
    icon: FileCog,
    order: 60,
    to: '/projects/$project_id/manifest',
    counts: ['manifest_invalid'],
  },
]
