import { Bell } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  { section: 'main', label: 'Notifications', icon: Bell, order: 15, to: '/notifications', unread: true },
]
