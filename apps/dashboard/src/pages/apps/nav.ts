import { AppWindow } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  { section: 'project', label: 'Apps', icon: AppWindow, order: 55, to: '/projects/$project_id/apps' },
]
