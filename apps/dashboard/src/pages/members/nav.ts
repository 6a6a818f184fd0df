import { Users } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  { section: 'project', label: 'Members', icon: Users, order: 80, to: '/projects/$project_id/members' },
]
