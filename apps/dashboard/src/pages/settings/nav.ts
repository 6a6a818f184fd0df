import { Settings2 } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  { section: 'project', label: 'Settings', icon: Settings2, order: 90, to: '/projects/$project_id/settings' },
]
