import { GitPullRequestArrow } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  {
    section: 'project',
    label: 'Change requests',
    icon: GitPullRequestArrow,
    order: 20,
    to: '/projects/$project_id/change-requests',
    counts: ['change_request'],
  },
]
