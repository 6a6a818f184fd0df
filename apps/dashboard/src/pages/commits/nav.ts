import { GitCommitHorizontal } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  {
    section: 'project',
    label: 'Commits',
    icon: GitCommitHorizontal,
    order: 50,
    to: '/projects/$project_id/commits',
  },
]
