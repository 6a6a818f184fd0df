import { KeyRound } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  {
    section: 'project',
    label: 'Secrets',
    icon: KeyRound,
    order: 70,
    to: '/projects/$project_id/secrets',
    counts: ['secret_missing'],
  },
]
